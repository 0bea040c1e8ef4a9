// The page in a frame of another site tells it what happens. It speaks to a page that has said hello, from an origin that
// may show it in a frame, and to no other:
//
//   embed.js   |--hello (to this origin)--|                 |--checks origin and window of what it is told--|
//   this page        |--checks window and origin, answers ready to that origin--|--signed--|

type Event = 'ready' | 'signed' | 'approved' | 'refused' | 'failed' | 'placed';

let tell: ((type: Event, more?: object) => void) | undefined;
let lastOutcome: string | undefined;

/** Waits for the page around the frame. Nothing happens where there is none, or it may not know. */
export function listenForEmbedder({ dataset }: HTMLElement): void {
  const allowed = (dataset.embedOrigins ?? '').split(' ').filter(Boolean);
  lastOutcome = dataset.outcome;
  if (window.parent === window || allowed.length === 0) return;
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== window.parent || !isAllowed(origin, allowed) || data?.sinete !== 'hello') return;
    tell = (type, more = {}) =>
      window.parent.postMessage({ sinete: type, ...subjectOf(dataset), ...more }, origin);
    tell('ready', lastOutcome ? { outcome: lastOutcome } : {});
  });
}

/** What the page is about: a document, or a marks session. */
const subjectOf = ({ document: documentId, session: sessionId }: DOMStringMap) =>
  sessionId ? { sessionId } : { documentId };

// On the local stage any port of this machine is one: http://localhost:*
const isAllowed = (origin: string, allowed: readonly string[]): boolean =>
  origin === location.origin ||
  allowed.some((each) => (each.endsWith(':*') ? origin.startsWith(each.slice(0, -1)) : origin === each));

/** Tells what the person did, once. */
export function tellOutcome({ dataset: { outcome } }: HTMLElement): void {
  if (!outcome || outcome === lastOutcome) return;
  lastOutcome = outcome;
  tell?.(outcome as Event);
}

/** Tells that what the person tried did not work. They see why, and may try again. */
export const tellFailure = (code: string): void => tell?.('failed', { code });

/** Tells that marks were placed and saved. They may be placed again. */
export const tellPlaced = (): void => tell?.('placed');
