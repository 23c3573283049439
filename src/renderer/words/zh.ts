export { zhHost } from './zh-host.js';
export { default as catalogue } from '../../messages/zh.json';
