import type { FromPage } from '../../protocol/index.js';
import type { Page } from './page.js';
import type { Outcome } from './ports.js';

export type Type = FromPage['type'];
export type Message<T extends Type> = Extract<FromPage, { type: T }>;

export type Handler<T extends Type> = (page: Page, message: Message<T>) => void | Promise<void>;
export type Handlers = { [T in Type]: Handler<T> };
export type Paired = <T extends Type>(
  act: (page: Page, message: Message<T>) => Outcome | Promise<Outcome>,
  about?: (message: Message<T>) => string | undefined,
) => Handler<T>;
