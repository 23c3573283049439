/** Chromium alone knows no schemes of an app's own, so `app://chaperone` is an https origin there, and nothing of it leaves this machine. */
const REAL = /^https:\/\/([a-z]+)\.app\.invalid/;

export const toChromium = (url: string): string => url.replace(/^app:\/\/([a-z]+)/, 'https://$1.app.invalid');
export const fromChromium = (url: string): string => url.replace(REAL, 'app://$1');
