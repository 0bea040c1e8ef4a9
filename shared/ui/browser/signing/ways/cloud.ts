import type { VisitBegun, Way, WayLook, WaySigned } from '../../../../ways/contract.ts';
import { element } from '../../element.ts';
import { language } from '../../page-language.ts';
import { ActCanceled } from '../act-canceled.ts';
import { type ActionForm, find } from '../action-form.ts';
import { CertificateRefused, InputProblem } from '../problems.ts';
import { certificateCard } from './certificate-card.ts';
import { cloudWords, wayWords } from './words.ts';

export type WayOptions = {
  /** Asks the service, below the address of the page's document or session. */
  readonly post: <T>(path: string, body?: object) => Promise<T>;
  /** What a request to sign names beside the certificate: the documents that the person was shown. */
  readonly toSign: () => object;
  /** Called once a signature is made elsewhere, with what shows that this browser made it. */
  readonly onSigned?: (proof: string, way: Way) => void;
  /** The part of the page that shows how this way stands. */
  readonly part: HTMLElement;
  /** Sets what the button says; undefined: sign. */
  readonly setLabel: (text: string | undefined) => void;
};

/** Signing with a cloud certificate. The service remembers the visit to the provider, so a page that was left goes on. */
export function cloudWay({ post, toSign, onSigned, part, setLabel }: WayOptions) {
  const words = wayWords(language);
  const texts = cloudWords(language);
  const shown = find(part, '.way-state', HTMLElement);
  let isReady = false;

  const show = (state: WayLook['state'] | 'no-provider' | 'provider-failed', ...more: Node[]): void => {
    const text = state === 'ready' || state === 'offline' ? '' : texts[state];
    shown.replaceChildren(...(text ? [element('p', { className: 'note' }, text)] : []), ...more);
    isReady = state === 'ready';
    const isFirst = state === 'none' || state === 'no-provider' || state === 'provider-failed';
    setLabel(isReady ? undefined : isFirst ? words.find : state === 'away' ? words.goOn : words.allowAgain);
  };

  async function look(): Promise<void> {
    setLabel(words.find);
    try {
      const { state, certificates } = await post<WayLook>('certificate', { way: 'cloud' });
      show(state, ...certificates.map(certificateCard));
    } catch {
      // The button asks again, and tells what is wrong.
      show('none');
    }
  }

  async function begin(acting: ActionForm): Promise<never> {
    acting.showProgress(words.looking);
    const { state, providers } = await post<VisitBegun>('cloud', { lang: language });
    if (state !== 'begun') {
      show(state);
      throw new InputProblem(texts[state]);
    }
    const [first, ...others] = providers;
    if (first && others.length === 0) {
      acting.showProgress(words.leaving);
      location.assign(first.address);
    } else {
      const links = providers.map(({ name, address }) =>
        element('li', {}, element('a', { className: 'button quiet wide', href: address }, name)),
      );
      show('none', element('p', {}, words.choose), element('ul', { className: 'providers' }, ...links));
      shown.querySelector('a')?.focus();
    }
    throw new ActCanceled();
  }

  return {
    look,
    async act(acting: ActionForm): Promise<void> {
      if (!isReady) return begin(acting);
      for (let left = 1; left > 0; ) {
        acting.showProgress(words.signingInCloud);
        const signed = await post<WaySigned>('signature/cloud', toSign());
        if (signed.state === 'refused') throw new CertificateRefused(signed.errors);
        if (signed.state !== 'signed') {
          const state = signed.state in texts ? (signed.state as keyof typeof texts) : 'failed';
          show(state);
          throw new InputProblem(texts[state] || texts.expired);
        }
        left = signed.left;
        onSigned?.(signed.proof ?? '', 'cloud');
      }
    },
  };
}
