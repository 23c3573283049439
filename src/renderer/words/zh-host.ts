/** 主机的英文句子，简体中文。 */
import type { HostWords } from './host.js';
import { zhSaid } from './zh-host-said.js';

export const zhHost: HostWords = { said: zhSaid };
