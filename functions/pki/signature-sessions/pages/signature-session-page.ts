import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { pdfToolAttributes } from '../../../../shared/ui/reader/reader.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { type WayOptions, wayFields } from '../../../../shared/ui/ways/way-fields.ts';

/** What the page of a signature session says before anybody acts. */
const signatureSessionWords = translations({
  title: { en: 'Sign documents', 'pt-BR': 'Assinar documentos' },
  needsScript: {
    en: 'To sign, turn JavaScript on and reload the page.',
    'pt-BR': 'Para assinar, ative o JavaScript e recarregue a página.',
  },
  documents: { en: 'Documents', 'pt-BR': 'Documentos' },
  readFirst: { en: 'Read them before you sign.', 'pt-BR': 'Leia antes de assinar.' },
  ownFiles: { en: 'Add files', 'pt-BR': 'Adicionar arquivos' },
  chooseFiles: { en: 'Choose files', 'pt-BR': 'Escolher arquivos' },
  ownFilesHint: {
    en: 'A PDF is signed inside the file, XML too. Of any other file you get a .p7m with the signature.',
    'pt-BR':
      'Um PDF é assinado dentro do arquivo, XML também. De qualquer outro você recebe um .p7m com a assinatura.',
  },
  yourSignature: { en: 'Your signature', 'pt-BR': 'Sua assinatura' },
  signAs: {
    en: 'You sign as the holder of the certificate that you choose. The signed files show that name and CPF or CNPJ.',
    'pt-BR':
      'Você assina como o titular do certificado que escolher. Os arquivos assinados mostram esse nome e o CPF ou CNPJ.',
  },
  sign: { en: 'Sign all documents', 'pt-BR': 'Assinar todos os documentos' },
  cancel: { en: 'Cancel…', 'pt-BR': 'Cancelar…' },
  cancelTitle: { en: 'Sign nothing?', 'pt-BR': 'Não assinar nada?' },
  cancelHint: {
    en: 'The session ends, and none of its documents is signed.',
    'pt-BR': 'A sessão termina, e nenhum documento dela fica assinado.',
  },
  keep: { en: 'Go on signing', 'pt-BR': 'Continuar assinando' },
  confirmCancel: { en: 'Sign nothing', 'pt-BR': 'Não assinar' },
  goBack: { en: 'Go back', 'pt-BR': 'Voltar' },
});

// The page is at /signature-sessions/{sessionId}. Its addresses are relative, so that it works under any stage prefix.
const ROOT = '..';

/**
 * The page at which a person signs the documents of a session. The token is behind the `#` of its address, which no
 * server is sent: so the page is the same for every session, and its script asks for what is in it.
 */
export function signatureSessionPage(
  sessionId: string,
  language: Language,
  ways: Omit<WayOptions, 'language'>,
): Promise<Answer> {
  const { title } = signatureSessionWords(language);
  const body = content(`${ROOT}/api/signature-sessions/${encodeURIComponent(sessionId)}`, language, ways);
  return page({
    title,
    language,
    styles: [
      assetUrl(ROOT, 'common.css'),
      assetUrl(ROOT, 'reader.css'),
      assetUrl(ROOT, 'ways.css'),
      assetUrl(ROOT, 'pki-signature-session.css'),
    ],
    scripts: [assetUrl(ROOT, 'pki-signature-session.js')],
    hasReader: true,
    body: renderFrame({ language, body, inLanguage: (other) => `?lang=${other}` }),
  });
}

function content(api: string, language: Language, ways: Omit<WayOptions, 'language'>): Markup {
  const words = signatureSessionWords(language);
  return html`<main data-api="${api}" ${pdfToolAttributes(ROOT)}>
<h1>${words.title}</h1>
<noscript><p class="note">${words.needsScript}</p></noscript>
<p class="faint" id="asks" hidden></p>
<p class="working" id="waiting" role="status"></p>
<section class="card closed" id="closed" aria-labelledby="closed-title" hidden>
<h2 id="closed-title" tabindex="-1"></h2>
<p class="faint"></p>
<ul class="documents"></ul>
<a class="button quiet" hidden>${words.goBack}</a>
</section>
<div class="columns" id="open" hidden>
<section class="card" aria-labelledby="documents-title">
<h2 id="documents-title">${words.documents}</h2>
<p class="faint" id="read-first">${words.readFirst}</p>
<ul class="documents" id="documents"></ul>
${ownFiles(language)}
</section>
<section class="card" id="signature" aria-labelledby="act">
<h2 id="act">${words.yourSignature}</h2>
<p class="faint">${words.signAs}</p>
<p class="faint" id="requirements" hidden></p>
<form class="form" id="sign" novalidate>
<fieldset disabled>
${wayFields({ language, ...ways })}
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working" role="status"></p>
<button class="button wide" type="submit">${words.sign}</button>
<button class="button quiet wide" type="button" id="cancel-open">${words.cancel}</button>
</fieldset>
</form>
</section>
</div>
${cancelDialog(language)}
</main>`;
}

/** For a session whose documents the person brings. The script submits it once files are chosen. */
function ownFiles(language: Language): Markup {
  const words = signatureSessionWords(language);
  return html`<form class="form" id="own" novalidate hidden>
<fieldset disabled>
<div class="field">
<label for="own-files">${words.ownFiles}</label>
<div class="chooser">
<input id="own-files" type="file" multiple aria-describedby="own-files-hint">
<span class="button quiet" aria-hidden="true">${words.chooseFiles}</span>
</div>
<p class="faint" id="own-files-hint">${words.ownFilesHint}</p>
</div>
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working" role="status"></p>
</fieldset>
</form>`;
}

function cancelDialog(language: Language): Markup {
  const words = signatureSessionWords(language);
  return html`<dialog id="cancel" aria-labelledby="cancel-title">
<form class="form" novalidate>
<h2 id="cancel-title">${words.cancelTitle}</h2>
<p class="faint">${words.cancelHint}</p>
<fieldset disabled>
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working" role="status"></p>
<div class="choices">
<button class="button quiet" type="button" id="cancel-close">${words.keep}</button>
<button class="button danger" type="submit">${words.confirmCancel}</button>
</div>
</fieldset>
</form>
</dialog>`;
}
