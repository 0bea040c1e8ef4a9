/** How long what is over is still told apart from what never was. */
export const KEPT_AFTER_END_MS = 86_400_000;
