/** Checks before a build whether this machine can make a package. Each missing thing is a sentence that says what to do. */

/** Programs a platform's targets call and do not fetch themselves. */
const TOOLS = {
  darwin: {
    codesign: 'xcode-select --install',
    security: 'xcode-select --install',
    hdiutil: 'it is part of macOS; check the search path',
    xcrun: 'xcode-select --install',
  },
  linux: {
    tar: 'sudo apt-get install tar',
    ar: 'sudo apt-get install binutils',
    xz: 'sudo apt-get install xz-utils',
  },
};

/** Sets of variables, each enough for Apple's notary service. */
export const NOTARY = [
  ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
  ['APPLE_KEYCHAIN_PROFILE'],
];

export async function missingTools(platform, exec) {
  const lacking = [];
  for (const [tool, fix] of Object.entries(TOOLS[platform] ?? {})) {
    const { code } = await exec('/bin/sh', ['-c', `command -v ${tool}`], { capture: true });
    if (code !== 0) lacking.push(`The program ${tool} is missing: ${fix}`);
  }
  return lacking;
}

/** A release must be signed with a Developer ID and notarised. */
export async function missingForRelease(env, exec) {
  const lacking = [];
  for (const tool of ['notarytool', 'stapler']) {
    const { code } = await exec('xcrun', ['--find', tool], { capture: true });
    if (code !== 0) lacking.push(`Apple's ${tool} is missing: install Xcode 14 or newer, or its command line tools.`);
  }
  if (!env.CSC_LINK && !(await identities(exec)).some((name) => name.startsWith('Developer ID Application:')))
    lacking.push(
      'No "Developer ID Application" certificate is in the keychain and CSC_LINK is not set: import the certificate that the last ' +
        'release was signed with (docs/release.md), or make a development build with --dir.',
    );
  if (!NOTARY.some((names) => names.every((name) => env[name])))
    lacking.push(`For notarisation set ${NOTARY.map((names) => names.join(' + ')).join(', or ')}.`);
  return lacking;
}

/** A development build may be signed with any identity, if it is always the same. */
export async function missingForDevelopment(env, exec) {
  const names = await identities(exec);
  if (env.CSC_LINK || (env.CSC_NAME ? names.some((name) => name.includes(env.CSC_NAME)) : names.length > 0)) return [];
  const wanted = env.CSC_NAME ? `"${env.CSC_NAME}"` : 'at all';
  return [
    `No signing identity ${wanted} is in the keychain. Unsigned builds lose what you granted each time: make a self-signed one ` +
      'once (docs/release.md, "Development builds"), or pass --unsigned and grant again after every build.',
  ];
}

async function identities(exec) {
  const { code, output } = await exec('security', ['find-identity', '-v', '-p', 'codesigning'], { capture: true });
  return code === 0 ? [...output.matchAll(/^\s*\d+\) [0-9A-F]{40} "(.*)"/gm)].map(([, name]) => name) : [];
}
