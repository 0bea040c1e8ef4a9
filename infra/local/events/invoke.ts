/** The result of an invocation: the function's answer, or the reason why there is none. */
export type Invocation = { ok: true; answer: unknown } | { ok: false; reason: string };

export type Invoke = (functionName: string, event: unknown) => Promise<Invocation>;
