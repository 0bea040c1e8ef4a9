import type { ShownCertificate, TokenAsked, WayLook, WaySigned } from '../../../../ways/contract.ts';
import { formatTime } from '../../../time.ts';
import { ConnectionLost, RequestRefused } from '../../api.ts';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import { ActCanceled } from '../act-canceled.ts';
import { type ActionForm, find } from '../action-form.ts';
import { signerText } from '../confirm-company.ts';
import { CertificateRefused, InputProblem } from '../problems.ts';
import { certificateCard } from './certificate-card.ts';
import type { WayOptions } from './cloud.ts';
import { tokenWords, wayWords } from './words.ts';

const ASK_AGAIN_MS = 1_000;

/** Signing with a token at a workstation: its holder is asked there, and types the PIN there. */
export function tokenWay({ post, toSign, onSigned, part, setLabel }: WayOptions) {
  const words = wayWords(language);
  const texts = tokenWords(language);
  const shown = find(part, '.way-state', HTMLElement);
  const download = part.querySelector<HTMLElement>('.get-agent');
  let certificates: readonly ShownCertificate[] = [];

  const tell = (state: keyof typeof texts): void => {
    certificates = [];
    shown.replaceChildren(element('p', { className: 'note' }, texts[state]));
    if (download) download.hidden = state !== 'none' && state !== 'offline';
    setLabel(words.lookAgain);
  };

  const offer = (found: readonly ShownCertificate[]): void => {
    certificates = found;
    if (download) download.hidden = true;
    shown.replaceChildren(...(found.length === 1 ? found.map(certificateCard) : [chooserOf(found)]));
    setLabel(undefined);
  };

  async function look(): Promise<void> {
    setLabel(words.lookAgain);
    shown.replaceChildren(element('p', { className: 'faint' }, words.looking));
    try {
      const found = await post<WayLook>('certificate', { way: 'token' });
      if (found.state === 'ready' && found.certificates.length > 0) offer(found.certificates);
      else tell(found.state === 'offline' || found.state === 'failed' ? found.state : 'none');
    } catch (error) {
      tell(error instanceof RequestRefused && error.code === 'WayNotOffered' ? 'noCpf' : 'failed');
    }
  }

  const chosen = (): ShownCertificate | undefined => {
    const checked = shown.querySelector<HTMLInputElement>('input:checked')?.value;
    return certificates.find(({ sha256 }) => sha256 === checked) ?? certificates[0];
  };

  async function ask(acting: ActionForm, { sha256 }: ShownCertificate): Promise<TokenAsked> {
    acting.showProgress(words.asking);
    const asked = await post<TokenAsked>('token', { sha256, ...toSign() });
    if (asked.state === 'refused') throw new CertificateRefused(asked.errors);
    if (asked.state === 'asked') return asked;
    tell(asked.state);
    throw new InputProblem(texts[asked.state]);
  }

  /** Shows what the agent shows, so that the person can compare. */
  function showQuestion(acting: ActionForm, { documents, endsAt }: TokenAsked): void {
    const until = formatTime(language, Date.parse(endsAt), { time: 'medium' });
    acting.showProgress(words.answerThere(until));
    const rows = documents.map(({ name, code }) =>
      element('li', {}, element('strong', {}, name), ' ', element('code', {}, code)),
    );
    shown.replaceChildren(element('ul', { className: 'note codes' }, ...rows));
  }

  // A telephone that goes dark while its owner types the PIN elsewhere loses the request, and nothing else:
  //
  //   this page  |--asks for the answer-- lost |--asks again------- signed --|
  //   agent             |--shows the question------ PIN: signed --|
  //
  // The answer itself may be what was lost: it is given once, and the service has completed the signature with it.
  async function awaitAnswer({ question, endsAt }: TokenAsked): Promise<WaySigned> {
    const untilMs = Date.parse(endsAt);
    let lost: ConnectionLost | undefined;
    for (;;)
      try {
        const answer = await post<WaySigned>('token/answer', { question });
        if (answer.state === 'replaced' && lost) throw lost;
        if (answer.state !== 'waiting') return answer;
      } catch (error) {
        if (!(error instanceof ConnectionLost) || error === lost || Date.now() >= untilMs) throw error;
        lost = error;
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
      }
  }

  return {
    look,
    async act(acting: ActionForm): Promise<void> {
      const certificate = chosen();
      if (!certificate) {
        await look();
        throw new ActCanceled();
      }
      const asked = await ask(acting, certificate);
      showQuestion(acting, asked);
      const { state, errors, proof } = await awaitAnswer(asked);
      if (state === 'signed') return onSigned?.(proof ?? '', 'token');
      if (state === 'refused') throw new CertificateRefused(errors);
      offer(certificates);
      throw new InputProblem(texts[state in texts ? (state as keyof typeof texts) : 'failed']);
    },
  };
}

/** Of several certificates the person chooses one: of an e-CPF and an e-CNPJ, say. The first is the newest. */
const chooserOf = (found: readonly ShownCertificate[]): HTMLElement =>
  element(
    'div',
    { className: 'ways' },
    ...found.map((certificate, at) =>
      element(
        'label',
        { className: 'way' },
        element('input', {
          type: 'radio',
          name: 'certificate',
          value: certificate.sha256,
          checked: at === 0,
        }),
        element('span', {}, element('strong', {}, signerText(certificate))),
      ),
    ),
  );
