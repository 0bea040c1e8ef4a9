import { logger } from '../../../../shared/log/logger.ts';
import { askJson } from '../../../../shared/net/ask-json.ts';
import { FetchFailed } from '../../../../shared/net/errors.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

// A provider takes a message in a second or two. The call has 29.
const TIMEOUT_MS = 10_000;
// Nothing of the answer is read but its status.
const MAX_ANSWER_BYTES = 65_536;

/** Has the provider of the settings send a code: POST of `{ to, text }`, answered by any 2xx. */
export async function sendSms(to: string, code: string): Promise<void> {
  const url = settings['Sms:Url'];
  if (url === undefined) throw errors.refuse('FactorNotOffered', { factor: 'SMS' });
  const status = await askJson({
    url,
    json: { to, text: textOf(code) },
    bearer: settings['Sms:ApiKey'],
    maxBytes: MAX_ANSWER_BYTES,
    timeoutMs: TIMEOUT_MS,
  }).then(
    (answer) => answer.status,
    (error: unknown) => {
      if (!(error instanceof FetchFailed)) throw error;
      return error.message;
    },
  );
  if (typeof status === 'number' && status >= 200 && status < 300) return;
  logger('documents').error('The provider of SMS did not take a message.', { status });
  throw errors.refuse('SmsUnavailable');
}

// In Portuguese, as everything that reaches a person without a choice of language. Short: one SMS has 160 characters.
const textOf = (code: string): string =>
  `${code} e o seu codigo para assinar um documento em ${hostOf()}. Vale por 10 minutos. Nao o informe a ninguem.`;

const hostOf = (): string => new URL(commonSettings['Http:PublicUrl']).host;
