import type { Language } from '../../languages.ts';
import type { Identity } from '../open-pkcs12.ts';
import { type ActingForm, find } from './acting-form.ts';
import { Unfinished } from './problems.ts';
import { signingWords } from './words.ts';

/** The name of the file that was chosen, beside the button: the browser's own words may be of another language. */
export function showChosenCertificate(within: ParentNode): void {
  const input = within.querySelector<HTMLInputElement>('#certificate');
  input?.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (file) find(within, '.chosen', HTMLElement).textContent = file.name;
  });
}

/** Opens the certificate file that was chosen, with the password that was typed. Throws Unfinished or Pkcs12Refused. */
export async function openChosenCertificate(form: ActingForm, language: Language): Promise<Identity> {
  const words = signingWords(language);
  if (!globalThis.isSecureContext) throw new Unfinished(words.insecure);
  const [file] = find(form.form, '#certificate', HTMLInputElement).files ?? [];
  if (!file) throw new Unfinished(words.chooseFile, 'file');
  const { value: password } = passwordIn(form);
  if (password === '') throw new Unfinished(words.typePassword, 'password');
  form.working(words.opening);
  // A chunk of its own: nobody waits for it to read a page.
  const { openPkcs12 } = await import('../open-pkcs12.ts');
  return openPkcs12(file, password);
}

/** Forgets the password once it has served. */
export function forgetPassword(form: ActingForm): void {
  passwordIn(form).value = '';
}

const passwordIn = ({ form }: ActingForm): HTMLInputElement => find(form, '#password', HTMLInputElement);

/** Whose certificate it is. ICP-Brasil writes the number of a holder after the name. */
export const holderOf = ({ certificate }: Identity): string => certificate.commonName?.split(':')[0] ?? '…';
