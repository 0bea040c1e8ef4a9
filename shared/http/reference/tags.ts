/** The tag of the operations that every service has. */
export const SERVICE_TAG = 'service';

/** Every tag of a service with its description. @example tagsOf(session.tags) // { sessions: '…', service: '…' } */
export const tagsOf = (own: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  ...own,
  [SERVICE_TAG]: 'Whether the service answers, and its contract.',
});

/** A tag as readers see it. @example tagName('signature-sessions') // 'Signature sessions' */
export const tagName = (tag: string): string =>
  `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll('-', ' ')}`;
