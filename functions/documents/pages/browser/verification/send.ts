import type { VerificationRefusal } from '../../../../../shared/signing/verification/refused.ts';
import { ConnectionLost, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { problemWords } from '../../verification/problems.ts';
import type { ShownReport } from './report.ts';

// Longer than the function may take.
const PATIENCE_MS = 100_000;
const TOO_LARGE = 413;

/** Has a file verified; a detached signature with what it is over. Throws Refused and Lost. */
export async function sendFile(file: File, content?: File): Promise<ShownReport> {
  const form = new FormData();
  form.set('file', file, file.name);
  if (content) form.set('content', content, content.name);
  const answer = await answered(form);
  const value = await answer.json().catch(() => undefined);
  if (answer.ok && value !== undefined) return value;
  // A gateway in front of the server has words of its own for this.
  if (answer.status === TOO_LARGE) throw new RequestRefused('tooLarge', {});
  if (value === undefined) throw new ConnectionLost('The answer is no JSON.');
  throw new RequestRefused(String(value.code), value.details ?? {});
}

async function answered(body: FormData): Promise<Response> {
  try {
    return await fetch('api/verification', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (cause) {
    throw new ConnectionLost('No answer came.', { cause });
  }
}

/** Why there is no report, in words. */
export function problemText(error: unknown, language: Language): string {
  const words = problemWords(language);
  const known: Readonly<Record<VerificationRefusal, string> & Record<string, string>> = words;
  if (error instanceof ConnectionLost) return words.lost;
  if (!(error instanceof RequestRefused)) return words.failed;
  return known[error.details.reason ?? ''] ?? known[error.code] ?? words.failed;
}
