/** A tool of the shim itself, so no other may have its name. */
export const RESUME_TOOL = 'resume_call';

/** The progress of a call that acts, where it has no steps to name. */
export const RUNNING = 'Running.';

/** The tool that only waits for the person. */
export const QUESTION_TOOL = 'send_message';
