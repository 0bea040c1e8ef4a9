import type { VerificationRefusal } from '../../../../../shared/signing/verification/refused.ts';
import { ConnectionLost, RequestRefused } from '../../../../../shared/ui/browser/api.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../../shared/ui/numbers.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import type { ShownReport } from './report.ts';

/** Why a file got no report, by the code or the reason of the refusal. */
const problemWords = translations({
  empty: { en: 'The file is empty.', 'pt-BR': 'O arquivo está vazio.' },
  UploadEmpty: { en: 'The file is empty.', 'pt-BR': 'O arquivo está vazio.' },
  'not-a-signature': {
    en: 'It is no signed PDF, XML document or CMS file, so there is no signature to verify.',
    'pt-BR': 'Não é PDF, documento XML nem arquivo CMS assinado, então não há assinatura a verificar.',
  },
  'bare-base64': {
    en: 'It is Base64 text. Decode it, and choose the decoded file.',
    'pt-BR': 'É um texto em Base64. Decodifique, e escolha o arquivo decodificado.',
  },
  'content-not-needed': {
    en: 'This file carries its signatures inside. Choose it alone.',
    'pt-BR': 'Este arquivo traz as assinaturas dentro de si. Escolha só ele.',
  },
  encrypted: {
    en: 'The file is encrypted. Ask its sender for one without encryption or a password.',
    'pt-BR': 'O arquivo está cifrado. Peça ao remetente um sem cifra nem senha.',
  },
  'too-complex': {
    en: 'The file asks for more work than is done here.',
    'pt-BR': 'O arquivo pede mais trabalho do que se faz aqui.',
  },
  unsupported: {
    en: 'The XML document has something that is not read here, such as a document type declaration.',
    'pt-BR': 'O documento XML tem algo que não é lido aqui, como uma declaração de tipo (DOCTYPE).',
  },
  unreadable: {
    en: 'The file is broken or cut short. Ask its sender for it again.',
    'pt-BR': 'O arquivo está quebrado ou incompleto. Peça-o de novo ao remetente.',
  },
  tooLarge: {
    en: (largest: string) => `The file is too large to be verified here: at most ${largest} are.`,
    'pt-BR': (largest: string) =>
      `O arquivo é grande demais para ser verificado aqui: o máximo é ${largest}.`,
  },
  TooManyRequests: {
    en: 'Too many files at once. Wait a minute and try again.',
    'pt-BR': 'Arquivos demais de uma vez. Espere um minuto e tente de novo.',
  },
  SigningUnavailable: {
    en: 'Verification is not set up here yet: no authority is trusted.',
    'pt-BR': 'A verificação ainda não está configurada aqui: não se confia em nenhuma autoridade.',
  },
  lost: {
    en: 'The server could not be reached. Check the connection and try again.',
    'pt-BR': 'Não foi possível alcançar o servidor. Confira a conexão e tente de novo.',
  },
  failed: {
    en: 'Something failed here. Try again in some minutes.',
    'pt-BR': 'Algo falhou aqui. Tente de novo em alguns minutos.',
  },
});

// Longer than the function may take.
const TIMEOUT_MS = 100_000;
const TOO_LARGE = 413;

/** Sends a file for verification, with the content of a detached signature. Throws RequestRefused and ConnectionLost. */
export async function sendFile(
  file: File,
  content: File | undefined,
  maxFileBytes: number,
): Promise<ShownReport> {
  if (Math.max(file.size, content?.size ?? 0) > maxFileBytes) throw new RequestRefused('tooLarge', {});
  const form = new FormData();
  form.set('file', file, file.name);
  if (content) form.set('content', content, content.name);
  const response = await postForm(form);
  const value = await response.json().catch(() => undefined);
  if (response.ok && value !== undefined) return value;
  // A gateway in front of the server answers this with its own body.
  if (response.status === TOO_LARGE) throw new RequestRefused('tooLarge', {});
  if (value === undefined) throw new ConnectionLost('The response is not JSON.');
  throw new RequestRefused(String(value.code), value.details ?? {});
}

async function postForm(body: FormData): Promise<Response> {
  try {
    return await fetch('api/verification', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    throw new ConnectionLost('The server did not answer.', { cause });
  }
}

/** Why there is no report, for people. */
export function problemText(error: unknown, language: Language, maxFileBytes: number): string {
  const { tooLarge, ...words } = problemWords(language);
  const known: Readonly<Record<VerificationRefusal, string> & Record<string, string>> = {
    ...words,
    tooLarge: tooLarge(formatSize(language, maxFileBytes)),
  };
  if (error instanceof ConnectionLost) return words.lost;
  if (!(error instanceof RequestRefused)) return words.failed;
  return known[error.details.reason ?? ''] ?? known[error.code] ?? words.failed;
}
