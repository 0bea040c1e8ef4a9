import type { Outcome } from '../../../../../shared/signing/verification/reasons.ts';
import { part } from '../../../../../shared/ui/browser/element.ts';

/** The server's drawing of an outcome, which the page holds in a template. */
export const icon = (outcome: Outcome): Node =>
  part(`icon-${outcome}`, HTMLTemplateElement).content.cloneNode(true);
