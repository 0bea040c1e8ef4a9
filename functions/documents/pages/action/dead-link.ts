import { html } from 'hono/html';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { page } from '../../../../shared/ui/page.ts';
import type { ActionDetails } from '../../contract/signing/action-details.ts';
import { shownOf } from '../../domain/document/shown.ts';
import { embedOriginsOf } from '../../domain/places/embedding.ts';
import { type Preferences, preferencesOf } from '../../domain/places/preferences.ts';
import { openLink, renderDetails } from '../../domain/signing/action-url.ts';
import { ROOT } from './page.ts';
import { linkWords } from './words.ts';

/** Why a link opens nothing: there is no such document, the link has expired, or its person takes no part any more. */
export type DeadLink = 'unknown' | 'expired' | 'removed';

const STATUS = { unknown: 404, expired: 410, removed: 404 } as const;

type PageOptions = {
  readonly language: Language;
  readonly isEmbedded: boolean;
  readonly frameAncestors?: string;
};

/** Renders the page of a link that opens nothing, with what to do. */
export function deadLinkPage(why: DeadLink, { language, isEmbedded, ...policy }: PageOptions) {
  const words = linkWords(language);
  const { title, text } = {
    unknown: { title: words.title, text: words.wrongKey },
    expired: { title: words.expiredTitle, text: words.expired },
    removed: { title: words.removedTitle, text: words.removed },
  }[why];
  const body = html`<main><div class="card notice"><h1>${title}</h1><p>${text}</p></div></main>`;
  return page({
    title,
    language,
    status: STATUS[why],
    styles: [assetUrl(ROOT, 'common.css')],
    body: isEmbedded ? body : renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
    ...policy,
  });
}

const DEAD_LINKS: Readonly<Record<string, DeadLink>> = {
  DocumentInvalidKey: 'unknown',
  InvalidTicket: 'expired',
  NotInFlow: 'removed',
};

/**
 * The action of a link, the name of what is shown, the origins whose pages may show it in a frame, and the ways to sign of its
 * organization.
 */
type LoadedAction = {
  readonly details: ActionDetails;
  readonly shown: string;
  readonly embedOrigins: readonly string[];
  readonly ways: Preferences['signingWays'];
};

/** Why a refusal makes a link open nothing. */
export const deadLinkOf = (error: unknown): DeadLink | undefined =>
  error instanceof Refusal ? DEAD_LINKS[error.code] : undefined;

/** Reads the action of a link, or why it shows nothing: people get a page for that, and not an error. */
export async function loadAction(
  key: string,
  ticket: string,
  nowMs: number,
): Promise<LoadedAction | DeadLink | 'needs-code'> {
  try {
    const holder = await openLink(key, ticket, nowMs);
    return {
      details: renderDetails(holder, nowMs),
      shown: shownOf(holder.document),
      embedOrigins: embedOriginsOf(holder.location.organization),
      ways: preferencesOf(holder.location.organization).signingWays,
    };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'CodeRequired') return 'needs-code';
    const why = deadLinkOf(error);
    if (why) return why;
    throw error;
  }
}
