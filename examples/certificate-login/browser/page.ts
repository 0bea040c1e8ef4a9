import { areEqual, fromBase64, sha256, toBase64 } from '../../../shared/ui/browser/bytes.ts';
import { openPkcs12 } from '../../../shared/ui/browser/open-pkcs12.ts';
import { Pkcs12Refused } from '../../../shared/ui/browser/pkcs12-refused.ts';
import { sign } from '../../../shared/ui/browser/signing-key.ts';

const NONCE_BYTES = 32;

const WORDS = {
  en: {
    wrongPassword: 'The password does not open this file.',
    unreadable: 'This file cannot be read.',
    tooLarge: 'This file is too large to be a certificate.',
    unsupported: 'The key in this file is of a kind that cannot be used here.',
    noKey: 'There is no key in this file.',
    noCertificate: 'There is no certificate for the key in this file.',
    notANonce: 'The server asked for something else than a login to be signed. Nothing was signed.',
    CertificateFailedValidation:
      'This certificate is not accepted: it may have expired, been revoked, or be of an authority that is not trusted here.',
    StaleSession: 'It took too long. Try again.',
    NonceAlreadyUsed: 'This was used already. Try again.',
    working: 'One moment …',
    failed: (reason: string) => `It did not work (${reason}). Try again.`,
  },
  'pt-BR': {
    wrongPassword: 'A senha não abre este arquivo.',
    unreadable: 'Este arquivo não pode ser lido.',
    tooLarge: 'Este arquivo é grande demais para ser um certificado.',
    unsupported: 'A chave deste arquivo é de um tipo que não pode ser usado aqui.',
    noKey: 'Não há chave neste arquivo.',
    noCertificate: 'Não há certificado para a chave deste arquivo.',
    notANonce: 'O servidor pediu para assinar outra coisa que não uma entrada. Nada foi assinado.',
    CertificateFailedValidation:
      'Este certificado não é aceito: pode ter expirado, sido revogado, ou ser de uma autoridade em que não se confia aqui.',
    StaleSession: 'Demorou demais. Tente de novo.',
    NonceAlreadyUsed: 'Isto já foi usado. Tente de novo.',
    working: 'Um momento …',
    failed: (reason: string) => `Não funcionou (${reason}). Tente de novo.`,
  },
};
type Words = (typeof WORDS)['en'];
const words: Words = WORDS[document.documentElement.lang as keyof typeof WORDS];

function textFor(reason: string): string {
  const text = words[reason as keyof Words];
  return typeof text === 'string' ? text : words.failed(reason);
}

async function post(path: string, body = {}) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
  return answer.json();
}

/** The bytes to sign, if they can only be a nonce: the data of a document's signature is longer. */
async function nonceIn({ data, hash }: { data: string; hash: string }) {
  const bytes = fromBase64(data);
  const isNonce = bytes.length === NONCE_BYTES && areEqual(await sha256(bytes), fromBase64(hash));
  return isNonce ? bytes : undefined;
}

/** Logs in. Gives undefined, or the reason of a failure. */
async function enter(file: File, password: string): Promise<string | undefined> {
  const { key, certificate } = await openPkcs12(file, password);
  const prepared = await post('/prepare');
  if (prepared.reason) return prepared.reason;
  const nonce = await nonceIn(prepared);
  if (!nonce) return 'notANonce';
  const signature = toBase64(await sign(key, nonce));
  const { entered, reason } = await post('/complete', {
    certificate: toBase64(certificate.der),
    signature,
  });
  return entered ? undefined : reason;
}

const reasonOf = (error: Error): string => (error instanceof Pkcs12Refused ? error.reason : error.message);

function onSubmit(form: HTMLFormElement, act: () => Promise<string | undefined>): void {
  const [button, status] = [form.querySelector('button'), form.querySelector('#status')];
  if (!button || !status) return;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = words.working;
    const reason = await act().catch(reasonOf);
    if (reason === undefined) return location.reload();
    status.textContent = textFor(reason);
    button.disabled = false;
  });
}

const find = <E extends HTMLElement>(id: string): E | null => document.querySelector<E>(`#${id}`);

const [entering, leaving] = [find<HTMLFormElement>('enter'), find<HTMLFormElement>('leave')];
if (entering)
  onSubmit(entering, async () => {
    const file = find<HTMLInputElement>('file')?.files?.[0];
    return file && enter(file, find<HTMLInputElement>('password')?.value ?? '');
  });
if (leaving)
  onSubmit(leaving, async () => {
    await post('/leave');
    return undefined;
  });
