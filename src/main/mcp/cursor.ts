import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Lists are never split into pages, so every cursor is invalid. */
export function rejectCursor(cursor: string | undefined): void {
  if (cursor === undefined || cursor === '') return;
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    'This cursor is not one of ours: the list comes whole. Ask again without a cursor.',
  );
}
