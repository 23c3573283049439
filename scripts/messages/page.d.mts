import type { Plugin } from 'vite';

export const NOT_FOR_PAGE: RegExp;
export function pageMessages(): Plugin;
