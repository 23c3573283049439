import { MessageError, type Message } from '../../messages/index.js';

/** Why setup failed. The text tells the person what happened and what to do next. */
export class SetupRefused extends MessageError {
  constructor(
    readonly code:
      | 'unknown_client'
      | 'invalid_file'
      | 'unreadable_file'
      | 'other_form'
      | 'changed_meanwhile'
      | 'no_command'
      | 'command_failed'
      | 'not_offered'
      | 'no_scope'
      | 'only_by_hand',
    text: Message,
  ) {
    super(text);
    this.name = 'SetupRefused';
  }
}
