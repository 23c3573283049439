/** Replies to agents, and older parts of the conversation. The only messages that do something for a page that is not paired. */
import type { Chat } from '../../chat/index.js';
import type { Definitions } from './definition.js';
import { historyBefore, withoutImages } from './chat-history.js';

export interface ConversationDependencies {
  chat: Pick<Chat, 'answer' | 'earlier'>;
}

export const conversationHandlers: Definitions<'ack' | 'earlier', ConversationDependencies> = {
  ack: {
    role: ({ images = [] }) => (images.length > 0 ? 'paired' : 'chat'),
    handler: ({ chat, page }, { id, message, images = [] }) =>
      chat.answer(id, message, images, page.role() === 'paired'),
  },
  earlier: {
    role: 'chat',
    async handler({ chat, page }, { before }) {
      const found = await chat.earlier(before);
      const { events, since } = historyBefore(found.events, before, found.since);
      return { events: page.role() === 'paired' ? events : events.map(withoutImages), since };
    },
  },
};
