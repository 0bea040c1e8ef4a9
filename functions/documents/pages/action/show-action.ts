import { Refusal } from '../../../../shared/errors/errors.ts';
import { frameAncestorsOf } from '../../../../shared/ui/frame-origins.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { waysOffered } from '../../../../shared/ways/offered.ts';
import type { ActionDetails } from '../../contract/signing/action-details.ts';
import { readApp } from '../../domain/electronic/set-up-app.ts';
import { type FaceView, readFace } from '../../domain/electronic/show-face.ts';
import { readProgress } from '../../domain/electronic/signers.ts';
import type { Factor } from '../../domain/flow/flow.ts';
import { readCodeRequest } from '../../domain/links/link-code.ts';
import { embedOriginsOf } from '../../domain/places/embedding.ts';
import type { ActionLink } from '../../domain/signing/awaited.ts';
import { settings } from '../../settings.ts';
import { CODE_NOTICES, codePage } from './code-page.ts';
import { deadLinkPage, loadAction } from './dead-link.ts';
import { ELECTRONIC_NOTICES, type Progress } from './electronic-panel.ts';
import { actionPage } from './page.ts';

type Visit = {
  readonly key: string;
  readonly ticket: string;
  readonly language: Language;
  readonly isEmbedded: boolean;
  /** Of the query: what is said of a code that was sent or given. Content spoofing: any other word says nothing. */
  readonly notice?: unknown;
};

const NOT_BEGUN: Progress = { isSent: false, isLocked: false, attemptsLeft: 0 };

const oneOf = <Word extends string>(words: readonly Word[], word: unknown): Word | undefined =>
  words.find((each) => each === word);

/** The page at a link: the action, the question for a code, or why the link opens nothing. */
export async function showAction(visit: Visit, nowMs: number) {
  const { key, ticket, language, isEmbedded } = visit;
  const found = await loadAction(key, ticket, nowMs);
  if (found === 'needs-code') {
    const shown = await readCodeRequest(key, ticket, nowMs);
    return codePage({ ...shown, ticket, language, isEmbedded, notice: oneOf(CODE_NOTICES, visit.notice) });
  }
  const embedOrigins = typeof found === 'string' ? embedOriginsOf(undefined) : found.embedOrigins;
  const frame = isEmbedded && { frameAncestors: frameAncestorsOf(embedOrigins) };
  if (typeof found === 'string') return deadLinkPage(found, { language, isEmbedded, ...frame });
  const page = {
    ...{ details: found.details, shown: found.shown, key, ticket, language },
    ways: waysOf(found.ways),
    notice: oneOf(ELECTRONIC_NOTICES, visit.notice),
    progress: found.details.action.electronic ? await readProgress({ key, ticket }, nowMs) : NOT_BEGUN,
    app: asksFor('AuthenticatorApp', found.details) ? await readApp({ key, ticket }, nowMs) : undefined,
    face: asksFor('Liveness', found.details) ? await readFaceOrNone({ key, ticket }, nowMs) : undefined,
    ...(isEmbedded && { embedOrigins }),
  };
  return actionPage(page, { isEmbedded, ...frame });
}

/** The ways of this deployment that the organization takes. */
function waysOf({ cloud, token }: { readonly cloud: boolean; readonly token: boolean }) {
  const offered = waysOffered(settings);
  return {
    ...offered,
    offersCloud: offered.offersCloud && cloud,
    offersToken: offered.offersToken && token,
  };
}

const asksFor = (factor: Factor, { action: { electronic } }: ActionDetails): boolean =>
  electronic?.codes.some((code) => code.factor === factor) ?? false;

/** A PKI core that does not answer must not hide the document. */
const readFaceOrNone = (link: ActionLink, nowMs: number): Promise<FaceView> =>
  readFace(link, nowMs).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'LivenessUnavailable') return 'none';
    throw error;
  });
