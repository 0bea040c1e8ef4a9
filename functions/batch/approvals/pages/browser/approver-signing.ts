import { language } from '../../../../../shared/ui/browser/page-language.ts';
import {
  type ActionForm,
  createActionForm,
  find,
  onSubmit,
} from '../../../../../shared/ui/browser/signing/action-form.ts';
import {
  showChosenCertificate,
  signWithCertificate,
} from '../../../../../shared/ui/browser/signing/certificate-input.ts';
import { InputProblem, type Problem, problemOf } from '../../../../../shared/ui/browser/signing/problems.ts';
import { OtherContent, Refused, signAndApprove } from './approver-signing/sign-and-approve.ts';
import { approverWords, refusalProblem } from './approver-signing/words.ts';

const words = approverWords(language);

async function act(acting: ActionForm): Promise<void> {
  const { portal = '', job = '', sha256 = '' } = acting.form.dataset;
  const code = find(acting.form, '#code', HTMLInputElement);
  const codeField = find(acting.form, '#code-field', HTMLElement);
  const isCodeAsked = !codeField.hidden;
  if (isCodeAsked && code.value.trim() === '') throw new InputProblem(words.typeCode, 'code');
  await signWithCertificate(acting, (identity, steps) =>
    signAndApprove({
      portal,
      jobId: job,
      shownSha256: sha256,
      identity,
      ...(isCodeAsked && { code: code.value.trim() }),
      onStep: (step) => {
        // The code was right, and counts for a while: the server asks again when it does not.
        if (step === 'signing') codeField.hidden = true;
        acting.showProgress(steps[step]);
      },
    }),
  );
  acting.finish(words.done);
  location.assign(`${portal}/jobs/${job}?recorded=approved`);
}

function explain(error: unknown): Problem {
  if (error instanceof OtherContent) return { text: words.otherContent, reasons: [] };
  if (!(error instanceof Refused)) return problemOf(error, ({ code }) => refusalProblem(language, code));
  return refusalProblem(language, error.code) ?? { text: words.refused(error.code), reasons: [] };
}

/** A code works once. One may be asked for only now: the time of the last one ran out while the page was open. */
function renewCode({ form }: ActionForm, error: unknown): void {
  if (!(error instanceof Refused)) return;
  find(form, '#code', HTMLInputElement).value = '';
  if (error.code === 'code-required') find(form, '#code-field', HTMLElement).hidden = false;
}

const acting = createActionForm(find(document, '#sign', HTMLFormElement));
showChosenCertificate(acting.form);
onSubmit(acting, act, (error) => {
  renewCode(acting, error);
  acting.showProblem(explain(error));
});
