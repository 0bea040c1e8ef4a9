/** The application behind an accepted credential. */
export type Caller = {
  readonly application: string;
  readonly keyId: string;
  readonly permissions: readonly string[];
  /** The values that an operator registered for it, by kind. */
  readonly registered: Readonly<Record<string, readonly string[]>>;
};
