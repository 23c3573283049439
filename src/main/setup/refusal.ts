import { MessageError, type Message } from '../../messages/index.js';

/** What setup could not do: what happened, that nothing was damaged, and what to do next. The message is for the person. */
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
      | 'not_offered',
    text: Message,
  ) {
    super(text);
    this.name = 'SetupRefused';
  }
}
