import { html } from 'hono/html';
import type { Answer } from '../../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { givenText, problemBox, textField } from '../../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../../shared/ui/table.ts';
import { listInstitutes } from '../../../../tenants/domain/institutes.ts';
import { mayDo } from '../../../../tenants/domain/members/permissions.ts';
import type { Institute } from '../../../../tenants/domain/organization.ts';
import { consolePath } from '../../../pages/frame.ts';
import { memberPage } from '../../../pages/member-page.ts';
import type { Visit } from '../../../visit.ts';
import { tabs, tabTitle } from '../tabs.ts';
import { instituteWords, signerProblems } from './institute-words.ts';

export const INSTITUTES = 'organization/institutes';

/** A person of the form, as it was sent. */
export type SignerFields = Readonly<Record<'name' | 'cpf' | 'email' | 'step', string>>;

/** The form that is shown again: what was sent, the fields that are wrong by their ids, and why. */
export type SignersAgain = {
  readonly signers: readonly SignerFields[];
  readonly wrong?: readonly string[];
  readonly problem: string;
};

/** The institutes of the organization, and who signs for each. */
export async function institutesPage(visit: Visit): Promise<Answer> {
  const words = instituteWords(visit.language);
  const institutes = await listInstitutes(visit.caller, visit.organization.id);
  return memberPage(visit, {
    title: tabTitle(visit, 'institutes'),
    current: 'organization',
    done: { changed: words.changed },
    body: html`${tabs(visit, 'institutes')}
${
  institutes.length === 0
    ? html`<p class="card">${words.none}</p>`
    : html`<p class="faint">${words.hint}</p>${renderTable(columnsOf(visit), institutes)}`
}`,
  });
}

function columnsOf({ language, member }: Visit): readonly Column<Institute>[] {
  const words = instituteWords(language);
  const columns: readonly Column<Institute>[] = [
    { title: words.name, kind: 'file', cell: ({ name }) => givenText(name) },
    { title: words.emecCode, kind: 'text', cell: ({ emecCode }) => emecCode },
    {
      title: words.signers,
      kind: 'wide',
      cell: ({ signers }) =>
        signers.length === 0
          ? words.nobody
          : html`<ul class="plain">${signersInOrder(signers).map(
              ({ step, name }) => html`<li>${step}. ${givenText(name)}</li>`,
            )}</ul>`,
    },
    { title: words.id, kind: 'text', cell: ({ id }) => html`<code>${id}</code>` },
  ];
  if (!mayDo(member.role, 'institutes.change')) return columns;
  const change: Column<Institute> = {
    title: words.actions,
    kind: 'actions',
    cell: ({ id, name }) =>
      html`<div class="actions"><a class="button quiet" href="${consolePath(`${INSTITUTES}/${id}`)}" aria-label="${words.change}: ${name}">${words.change}</a></div>`,
  };
  return [...columns, change];
}

const signersInOrder = (signers: Institute['signers']): Institute['signers'] =>
  signers.toSorted((one, other) => one.step - other.step);

const EMPTY: SignerFields = { name: '', cpf: '', email: '', step: '' };
// Rows for people who are added. Further ones come with the saved form.
const EMPTY_ROWS = 3;

/** The people who sign for an institute, to be changed. */
export function signersPage(visit: Visit, institute: Institute, again?: SignersAgain): Promise<Answer> {
  const words = instituteWords(visit.language);
  const signers =
    again?.signers ??
    signersInOrder(institute.signers).map(({ step, ...rest }) => ({ ...rest, step: String(step) }));
  const rows = [...signers, ...Array.from({ length: EMPTY_ROWS }, () => EMPTY)];
  return memberPage(visit, {
    title: words.change,
    current: 'organization',
    address: consolePath(`${INSTITUTES}/${institute.id}`),
    ...(again && { status: 422 }),
    body: html`${tabs(visit, 'institutes')}
<section class="card" aria-labelledby="signers"><h2 id="signers">${words.change}</h2>
<p>${givenText(institute.name)}</p><p class="faint">${words.changeHint}</p>
<form class="stack" method="post" action="${consolePath(`${INSTITUTES}/${institute.id}/signers`)}" autocomplete="off">
${problemBox(again?.problem)}
${rows.map((signer, at) => signerRow(visit, signer, at, again?.wrong ?? []))}
<div class="actions"><button class="button">${words.save}</button>
<a class="button quiet" href="${consolePath(INSTITUTES)}">${words.cancel}</a></div>
</form></section>`,
  });
}

function signerRow({ language }: Visit, signer: SignerFields, at: number, wrong: readonly string[]): Markup {
  const words = instituteWords(language);
  const field = (name: keyof SignerFields, attributes: Markup) => {
    const id = `${name}-${at}`;
    const problem = wrong.includes(id) ? signerProblems(language)[name] : undefined;
    return textField({ id, label: words[name], value: signer[name], problem, attributes });
  };
  return html`<fieldset><legend>${words.person(at + 1)}</legend><div class="row">
${field('step', html` inputmode="numeric" maxlength="4" size="4"`)}
${field('name', html` maxlength="100"`)}
${field('cpf', html` inputmode="numeric" maxlength="14"`)}
${field('email', html` type="email" maxlength="254"`)}
</div></fieldset>`;
}
