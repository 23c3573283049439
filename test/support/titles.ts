import { title } from '../../src/main/protocol/index.js';

export const CLICK = title('title.click', { button: 'left', count: 1, keys: '' });
export const typing = (count: number) => title('title.type', { count, held: 'other', chord: '' });
export const dragging = (end: string) => title('title.drag', { button: 'left', keys: '', end });
