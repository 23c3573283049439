/** Answers of the HTTP door itself, in the form of the SDK's. The text is for programs. */
export function problem(status: number, text: string, code = -32_000, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message: text }, id: null }, { status, headers });
}
