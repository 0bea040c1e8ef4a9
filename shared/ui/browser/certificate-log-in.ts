import { fromBase64, toBase64 } from './bytes.ts';
import { createActionForm, find, onSubmit } from './signing/action-form.ts';
import { showChosenCertificate, signWithCertificate } from './signing/certificate-input.ts';
import { problemOf } from './signing/problems.ts';
import { sign } from './signing-key.ts';

const form = document.getElementById('certificate-log-in');
if (form instanceof HTMLFormElement) {
  const acting = createActionForm(form);
  const fill = (name: string, bytes: Uint8Array): void => {
    find(form, `[name=${name}]`, HTMLInputElement).value = toBase64(bytes);
  };
  showChosenCertificate(form);
  onSubmit(
    acting,
    () =>
      signWithCertificate(acting, async ({ key, certificate }, steps) => {
        acting.showProgress(steps.signing);
        const signature = await sign(key, fromBase64(form.dataset.toSign ?? ''));
        fill('certificate', certificate.der);
        fill('signature', signature);
        form.submit();
      }),
    (error) => acting.showProblem(problemOf(error, () => undefined)),
  );
}
