import type { Language } from '../../../../shared/ui/languages.ts';
import { formatTime } from '../../config/page-format.ts';
import { secondFactorWords } from './second-factor-words.ts';

// A time without seconds must not be too early.
const MINUTE_MS = 60_000;

/** When codes are accepted again, after the words of a refusal; nothing for another refusal. */
export const lockedText = (language: Language, code: string, lockedUntilMs: number): string =>
  code === 'approval.second-factor-locked-out' && lockedUntilMs > 0
    ? secondFactorWords(language).lockedUntil(
        formatTime(language, Math.ceil(lockedUntilMs / MINUTE_MS) * MINUTE_MS),
      )
    : '';
