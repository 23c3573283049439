export { deHost } from './de-host.js';
export { default as catalogue } from '../../messages/de.json';
