import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageHead } from './scripts/lib/page-head.mjs';
import { pageIcons } from './scripts/lib/page-icons.mjs';
import { pageMessages } from './scripts/messages/page.mjs';

export default defineConfig({
  root: resolve(import.meta.dirname, 'src/renderer'),
  base: './',
  publicDir: false,
  plugins: [
    react(),
    pageMessages(),
    pageIcons(resolve(import.meta.dirname, 'src/renderer/mark.svg')),
    pageHead(resolve(import.meta.dirname, 'src/renderer/first.ts')),
  ],
  build: {
    outDir: resolve(import.meta.dirname, 'dist/renderer'),
    emptyOutDir: true,
    // Of every library in the bundle; the page's Health view links to it.
    license: { fileName: 'licenses.txt' },
    target: 'es2023',
    // Beside the first view everything is a file of its own: the page's CSP allows data: only for pictures the host sends.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All that the first view needs is one file: what it shares with parts that come later gets none of its own.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
    // The page asks only its own computer for it.
    chunkSizeWarningLimit: 1_000,
  },
});
