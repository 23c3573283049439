# The service of the desktop bridge, for macOS. Built by scripts/addon.mjs and never by `npm ci`: this folder is no package.
{
  'targets': [
    {
      'target_name': 'desktop_bridge',
      'conditions': [
        ['OS=="mac"', {
          'sources': ['addon.mm', 'service.mm', 'request.mm'],
          'defines': ['NAPI_VERSION=8'],
          'xcode_settings': {
            'CLANG_ENABLE_OBJC_ARC': 'YES',
            'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
            'CLANG_CXX_LIBRARY': 'libc++',
            'MACOSX_DEPLOYMENT_TARGET': '13.0',
            'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
            'GCC_WARN_ABOUT_MISSING_RETURN_TYPE': 'YES',
            'WARNING_CFLAGS': ['-Wall', '-Wextra'],
          },
          'link_settings': {
            'libraries': ['-framework Foundation', '-framework Security'],
          },
        }, {
          'type': 'none',
        }],
      ],
    },
  ],
}
