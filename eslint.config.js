import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'artifacts/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    languageOptions: {
      parserOptions: {
        project: [
          'src/base/tsconfig.json',
          'src/messages/tsconfig.json',
          'src/main/protocol/tsconfig.json',
          'tsconfig.main.json',
          'src/renderer/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ['test/**'],
    rules: {
      // Test files share their modules, so one that another file has loaded cannot be replaced.
      'no-restricted-properties': ['error', { object: 'vi', property: 'mock' }],
    },
  },
  {
    rules: {
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    // Parts of one file, which `chaperone setup gnome` puts together.
    files: ['resources/gnome/**'],
    rules: { '@typescript-eslint/no-unused-vars': 'off' },
  },
);
