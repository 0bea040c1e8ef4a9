import { html } from 'hono/html';
import { check, clock, cross } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import type { ActionDetails } from '../../contract/signing/action-details.ts';

/** The texts of an action page at which nothing is left to do. */
const closedWords = translations({
  doneSignature: { en: 'You signed this document', 'pt-BR': 'Você assinou este documento' },
  doneApproval: { en: 'You approved this document', 'pt-BR': 'Você aprovou este documento' },
  doneRefusal: { en: 'You refused this document', 'pt-BR': 'Você recusou este documento' },
  othersFollow: {
    en: 'Others still have their part to do. The link stays open to you for some days, and shows the file with their signatures then.',
    'pt-BR':
      'Outras pessoas ainda têm a parte delas. O link continua aberto para você por alguns dias, e depois mostra o arquivo com as assinaturas delas.',
  },
  allDone: { en: 'Everybody has done their part.', 'pt-BR': 'Todos fizeram a sua parte.' },
  keepFile: {
    en: 'Keep the signed file: it is the original. A print of it is a copy.',
    'pt-BR': 'Guarde o arquivo assinado: ele é o original. Uma impressão dele é uma cópia.',
  },
  fileFollows: {
    en: 'The signed file is being made. Open the link again in a moment.',
    'pt-BR': 'O arquivo assinado está sendo preparado. Abra o link de novo daqui a pouco.',
  },
  nobodyCanAct: {
    en: 'Nobody can sign or approve it any more.',
    'pt-BR': 'Ninguém mais pode assinar nem aprovar.',
  },
  othersGoOn: {
    en: 'The flow goes on with the others.',
    'pt-BR': 'O fluxo continua com as outras pessoas.',
  },
  reasonIsShown: {
    en: 'Whoever sent the document can read your reason.',
    'pt-BR': 'Quem enviou o documento pode ler o motivo.',
  },
  notNeededTitle: { en: 'You are no longer needed', 'pt-BR': 'Sua parte não é mais necessária' },
  othersWereEnough: {
    en: 'Enough others have acted. There is nothing left for you to do.',
    'pt-BR': 'Outras pessoas já bastaram. Não há mais nada para você fazer.',
  },
  notYet: { en: 'It is not your turn yet', 'pt-BR': 'Ainda não é a sua vez' },
  notYetHint: {
    en: 'Others act before you. Come back with the same link.',
    'pt-BR': 'Outras pessoas agem antes de você. Volte com o mesmo link.',
  },
  isRefused: { en: 'The document was refused', 'pt-BR': 'O documento foi recusado' },
  isCanceled: { en: 'The document was canceled', 'pt-BR': 'O documento foi cancelado' },
  isExpired: { en: 'The document has expired', 'pt-BR': 'O documento expirou' },
  noEffect: {
    en: 'It has no effect, and a file with the signatures made so far is not given out.',
    'pt-BR': 'Ele não tem efeito, e um arquivo com as assinaturas já feitas não é fornecido.',
  },
  isComplete: { en: 'The document is complete', 'pt-BR': 'O documento está completo' },
  nothingToDo: { en: 'There is nothing left for you to do.', 'pt-BR': 'Não há mais nada para você fazer.' },

  downloadDocument: { en: 'Download the document', 'pt-BR': 'Baixar o documento' },
  downloadSigned: { en: 'Download the signed file', 'pt-BR': 'Baixar o arquivo assinado' },
  verify: { en: 'Verify the signatures', 'pt-BR': 'Verificar as assinaturas' },
  code: { en: 'Verification code:', 'pt-BR': 'Código de verificação:' },
  codeHint: {
    en: 'Whoever has the code sees the state of the document and who signed, and gets the file once all have.',
    'pt-BR':
      'Quem tem o código vê a situação do documento e quem assinou, e obtém o arquivo depois que todos assinarem.',
  },
});

type ClosedState = {
  readonly icon: Markup;
  readonly look: 'good' | 'bad' | 'calm';
  readonly title: string;
  /** What is so, and what happens next. */
  readonly texts: readonly string[];
};

type PanelAddresses = { readonly content: string; readonly verification: string };

/** The result of the person's action or why there is none, what happens next, the file and how it is verified. */
export function closedPanel(details: ActionDetails, addresses: PanelAddresses, language: Language): Markup {
  const { icon, look, title, texts } = closedStateOf(details, language);
  const words = closedWords(language);
  // Before the seal the file lacks the electronic signatures: it is not the one to keep.
  const code = details.awaitsSeal ? null : details.verificationCode;
  return html`<section class="card closed ${look}" aria-labelledby="closed">
<span class="badge">${icon}</span>
<h2 id="closed" tabindex="-1">${title}</h2>
${texts.map((text) => html`<p class="faint">${text}</p>`)}
${
  code === null
    ? html`<a class="button quiet wide" href="${addresses.content}" download>${words.downloadDocument}</a>`
    : html`<a class="button wide" href="${addresses.content}&type=Signatures" download>${words.downloadSigned}</a>
<a class="button quiet wide" href="${addresses.verification}?code=${code}" target="_blank" rel="noopener">${words.verify}</a>
<p class="faint">${words.code} <code class="number">${code}</code></p>
<p class="faint">${words.codeHint}</p>`
}
</section>`;
}

function closedStateOf(details: ActionDetails, language: Language): ClosedState {
  const { action, status, verificationCode, awaitsSeal } = details;
  const words = closedWords(language);
  const isComplete = status === 'FlowConcluded' || status === 'Concluded';
  if (action.status === 'Completed') {
    const title = action.kind === 'signature' ? words.doneSignature : words.doneApproval;
    if (isComplete)
      return {
        icon: check,
        look: 'good',
        title,
        texts: [
          words.allDone,
          ...(awaitsSeal ? [words.fileFollows] : verificationCode === null ? [] : [words.keepFile]),
        ],
      };
    if (status === 'Pending') return { icon: check, look: 'good', title, texts: [words.othersFollow] };
    return { icon: cross, look: 'bad', title, texts: [endingText(status, language), words.noEffect] };
  }
  if (action.status === 'Refused')
    return {
      ...{ icon: cross, look: 'bad', title: words.doneRefusal },
      texts: [
        ...(status === 'Refused' ? [words.nobodyCanAct] : status === 'Pending' ? [words.othersGoOn] : []),
        words.reasonIsShown,
      ],
    };
  if (isComplete) return { icon: check, look: 'good', title: words.isComplete, texts: [words.nothingToDo] };
  if (status !== 'Pending')
    return {
      ...{ icon: cross, look: 'bad', title: endingText(status, language) },
      texts: [words.noEffect, words.nothingToDo],
    };
  if (action.status === 'NotNeeded')
    return { icon: check, look: 'calm', title: words.notNeededTitle, texts: [words.othersWereEnough] };
  return { icon: clock, look: 'calm', title: words.notYet, texts: [words.notYetHint] };
}

function endingText(status: ActionDetails['status'], language: Language): string {
  const words = closedWords(language);
  const texts = { Refused: words.isRefused, Canceled: words.isCanceled, Expired: words.isExpired };
  return texts[status as keyof typeof texts] ?? words.isComplete;
}
