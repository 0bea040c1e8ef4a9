import { html } from 'hono/html';
import type { FieldProblem } from '../../../../../../shared/errors/errors.ts';
import type { Language } from '../../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { formatName } from '../../../../config/page-format.ts';
import { FORMATS, METHODS, SIGNER_SETS } from '../../../../profiles/domain/profile.ts';
import { checkBox, selectField, textArea, textField } from '../../../pages/parts.ts';
import { editorWords } from './editor-words.ts';
import { problemText } from './problem-words.ts';
import { type EditorValues, FLAGS, folderChoices, type PersonTexts } from './values.ts';

export type EditorView = {
  readonly language: Language;
  readonly values: EditorValues;
  /** What is wrong, by the path of the field. */
  readonly problems: readonly FieldProblem[];
  /** What is stored and never shown: an empty field keeps it. */
  readonly keeps: 'password' | 'certificate' | 'nothing';
};

type Words = ReturnType<typeof editorWords>;
type Group = (view: EditorView, words: Words) => Markup;

const problemAt = ({ language, problems }: EditorView, path: string): string | undefined => {
  const problem = problems.find(({ field }) => field === path);
  return problem && problemText(language, problem);
};

/** The id, value and problem of a field, by its path. */
const at = (view: EditorView, path: string) => ({
  id: path,
  value: view.values.texts[path] ?? '',
  problem: problemAt(view, path),
});

const flag = (view: EditorView, path: string, label: string, hint?: string): Markup =>
  checkBox({
    id: path,
    label,
    hint,
    problem: problemAt(view, path),
    isChecked: view.values.texts[path] === 'true',
  });

/** A part of the editor, with what is wrong with it as a whole. */
function group(view: EditorView, path: string, title: string, body: Markup): Markup {
  const problem = problemAt(view, path);
  const id = `group-${path}`;
  return html`<section class="card stack" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${problem ? html`<p class="field-problem" role="alert">${problem}</p>` : ''}
${body}</section>`;
}

const signing: Group = (view, words) =>
  group(
    view,
    'signing',
    words.signing,
    html`<div class="row">
${selectField({
  ...at(view, 'method'),
  label: words.method,
  choices: METHODS.map((value) => ({ value, text: words[value] })),
})}
${selectField({
  ...at(view, 'format'),
  label: words.format,
  choices: [
    { value: '', text: words.byExtension },
    ...FORMATS.map((value) => ({ value, text: formatName(value) })),
  ],
})}
${selectField({
  ...at(view, 'inputFolder'),
  label: words.inputFolder,
  choices: [
    { value: '', text: words.noFolder },
    ...folderChoices(view.values.texts.inputFolder ?? '').map((name) => ({ value: name, text: name })),
  ],
})}
</div>
<div class="flags">${FLAGS.map((name) => flag(view, name, words[name]))}</div>`,
  );

const ENCRYPTIONS = ['none', 'password', 'certificate'] as const;

const encryption: Group = (view, words) =>
  group(
    view,
    'encryption',
    words.encryption,
    html`${selectField({
      ...at(view, 'encryption.mode'),
      label: words.encryptionMode,
      choices: ENCRYPTIONS.map((value) => ({ value, text: words[`encryption-${value}`] })),
    })}
<div class="row when-password">
${textField({
  ...at(view, 'encryption.password'),
  value: '',
  label: words.password,
  hint: view.keeps === 'password' ? words.keeps : undefined,
  attributes: html` type="password" autocomplete="new-password"`,
})}
${textField({
  ...at(view, 'encryption.salt'),
  value: '',
  label: words.salt,
  hint: view.keeps === 'password' ? words.keeps : words.saltHint,
  attributes: html` type="password" autocomplete="off"`,
})}
</div>
<div class="when-certificate">${textArea({
      ...at(view, 'encryption.certificate'),
      label: words.recipient,
      hint: view.keeps === 'certificate' ? words.keeps : words.recipientHint,
      attributes: html` spellcheck="false"`,
    })}</div>`,
  );

// So many more people can be named at once: a row appears when somebody is typed into the one before it.
const EMPTY_ROWS = 20;
const NOBODY: PersonTexts = { name: '', email: '', cpf: '', step: '' };

type PeopleOptions = { readonly path: string; readonly title: string; readonly hasStep: boolean };

function people(
  view: EditorView,
  words: Words,
  rows: readonly PersonTexts[],
  options: PeopleOptions,
): Markup {
  const { path, title, hasStep } = options;
  const fields = hasStep ? (['name', 'email', 'cpf', 'step'] as const) : (['name', 'email', 'cpf'] as const);
  const problem = problemAt(view, path);
  return html`${problem ? html`<p class="field-problem" role="alert">${problem}</p>` : ''}
${[...rows, ...Array.from({ length: EMPTY_ROWS }, () => NOBODY)].map(
  (
    row,
    index,
  ) => html`<fieldset class="row person${index > rows.length ? ' spare' : ''}"><legend>${title} ${index + 1}</legend>
${fields.map((name) =>
  textField({
    id: `${path}.${index}.${name}`,
    value: row[name],
    label: words[name],
    problem: problemAt(view, `${path}.${index}.${name}`),
    // With a placeholder the stylesheet knows whether a field is empty.
    attributes: html` autocomplete="off" placeholder=" "`,
  }),
)}</fieldset>`,
)}
<p class="faint">${words.moreRows}</p>`;
}

const approval: Group = (view, words) =>
  group(
    view,
    'approval',
    words.approval,
    html`${checkBox({
      id: 'approval',
      label: words.needsApproval,
      hint: words.approvalHint,
      isChecked: view.values.texts.approval === 'true',
    })}
<div class="stack when-approval"><div class="row">
${textField({
  ...at(view, 'approval.quorum'),
  label: words.quorum,
  attributes: html` inputmode="numeric"`,
})}
${textField({ ...at(view, 'approval.expiresAfter'), label: words.expiresAfter, hint: words.expiresAfterHint })}
${selectField({
  ...at(view, 'approval.signerSet'),
  label: words.signerSet,
  choices: SIGNER_SETS.map((value) => ({ value, text: words[value] })),
})}
</div>
${people(view, words, view.values.approvers, {
  path: 'approval.approvers',
  title: words.approver,
  hasStep: false,
})}</div>`,
  );

/** A part that belongs to one method, shown where that is chosen. */
const ofMethod = (method: (typeof METHODS)[number], body: Markup): Markup =>
  html`<div class="of-method of-${method}">${body}</div>`;

/** A part that few profiles need. */
const folded = (isOpen: boolean, title: string, body: Markup): Markup =>
  html`<details class="folded"${isOpen ? html` open` : ''}><summary>${title}</summary>${body}</details>`;

const externalSigner: Group = (view, words) =>
  ofMethod(
    'ExternalSigner',
    group(
      view,
      'externalSigner',
      words.externalSigner,
      html`<p class="faint">${words.externalSignerHint}</p>
<div class="row">
${textField({ ...at(view, 'externalSigner.folderId'), label: words.folderId, hint: words.optional })}
${textField({
  ...at(view, 'externalSigner.expiresAfterDays'),
  label: words.expiresAfterDays,
  hint: words.optional,
  attributes: html` inputmode="numeric"`,
})}
</div>
${people(view, words, view.values.signers, {
  path: 'externalSigner.signers',
  title: words.signer,
  hasStep: true,
})}`,
    ),
  );

const signerFolder: Group = (view, words) =>
  ofMethod(
    'SignerFolder',
    group(
      view,
      'signerFolder',
      words.signerFolder,
      html`<p class="faint">${words.signerFolderHint}</p>
${textField({ ...at(view, 'signerFolder.folderId'), label: words.folderId })}`,
    ),
  );

const cloudCertificate: Group = (view, words) =>
  folded(
    (view.values.texts['cloudCertificate.identifier'] ?? '') !== '',
    words.cloudCertificate,
    group(
      view,
      'cloudCertificate',
      words.cloudCertificate,
      html`<p class="faint">${words.cloudCertificateHint}</p>
<div class="row">
${textField({ ...at(view, 'cloudCertificate.identifier'), label: words.identifier, hint: words.identifierHint })}
${textField({ ...at(view, 'cloudCertificate.provider'), label: words.provider, hint: words.optional })}
${textField({ ...at(view, 'cloudCertificate.certificateAlias'), label: words.alias, hint: words.optional })}
</div>`,
    ),
  );

/** The parts of the editor, in their order. */
const GROUPS: readonly Group[] = [
  signing,
  cloudCertificate,
  encryption,
  approval,
  externalSigner,
  signerFolder,
];

/** The fields of a profile. Each problem stands at its field. */
export const editorFields = (view: EditorView): Markup => {
  const words = editorWords(view.language);
  return html`${GROUPS.map((each) => each(view, words))}`;
};
