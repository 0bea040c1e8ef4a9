import { html } from 'hono/html';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatCount } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { badge, factList, givenText } from '../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { timeOf } from '../../../../../shared/ui/time-element.ts';
import { mayDo } from '../../../domain/members/permissions.ts';
import {
  type Generation,
  type GenerationState,
  generationStates,
  requireGeneration,
} from '../../../domain/templates/generation/generation.ts';
import { explainErrors } from '../../../domain/templates/generation/read-generation.ts';
import { besidePath, consolePath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { reasonMarkup, reasonOf, refusalText } from '../../pages/refusals.ts';
import type { Visit } from '../../visit.ts';
import { tableWords } from './table-words.ts';

const TONES: Readonly<Record<GenerationState, 'good' | 'warn' | 'bad' | 'neutral'>> = {
  Pending: 'neutral',
  Init: 'warn',
  Canceling: 'warn',
  Canceled: 'neutral',
  Completed: 'good',
  Done: 'warn',
  Error: 'bad',
};

export const stateBadge = (state: GenerationState, language: Language): Markup =>
  badge(tableWords(language)[state], TONES[state]);

// The rest is in the file.
const SHOWN_ERRORS = 20;

type RefusedLine = Awaited<ReturnType<typeof explainErrors>>[number];

/** How far the documents of a table are, what was refused, and the buttons that stop it and go on. */
export async function generationPage(visit: Visit, id: string, refused?: Refusal): Promise<Answer> {
  const { language, caller } = visit;
  const words = tableWords(language);
  const generation = await requireGeneration(caller, id);
  const { state, template, created, failed, lines, folderId, createdAtMs } = generation;
  const items = await explainErrors(generation, SHOWN_ERRORS);
  const count = (number: number): string => formatCount(language, number);
  const isMoving = !generationStates.isTerminal(state) && state !== 'Canceled';
  return memberPage(visit, {
    title: template.name,
    current: 'templates',
    status: refused?.status ?? 200,
    address: consolePath(`templates/generations/${id}`),
    done: { started: words.started, stopped: words.stopped, resumed: words.resumed },
    body: html`<h1>${givenText(template.name)}</h1>
${refused ? html`<div class="problem" role="alert"><p>${refusalText(refused, language)}</p></div>` : ''}
<section class="card stack" id="progress"${isMoving ? html` data-live="2"` : ''} data-address="${consolePath(`templates/generations/${id}`)}">
<p>${stateBadge(state, language)} ${words.progress(count(created + failed), count(lines))}</p>
<progress max="${lines}" value="${created + failed}" aria-label="${words.progress(count(created + failed), count(lines))}"></progress>
${factList([
  [words.begun, timeOf(language, createdAtMs)],
  [words.made, count(created)],
  [words.refused, count(failed)],
  [words.left, count(lines - created - failed)],
])}
${doingPart(visit, generation)}
${items.length === 0 ? '' : errorsPart(visit, id, items)}
</section>
<p><a class="button quiet" href="${consolePath()}${folderId === null ? '' : `?folder=${folderId}`}">${words.documents}</a></p>`,
  });
}

function doingPart({ language, member }: Visit, { id, state }: Generation): Markup | '' {
  const words = tableWords(language);
  if (!mayDo(member.role, 'documents.send')) return '';
  const form = (name: string, text: string): Markup =>
    html`<form method="post" action="${consolePath(`templates/generations/${id}/${name}`)}"><button class="button quiet">${text}</button></form>`;
  if (generationStates.accepts(state, 'canceled')) return form('stop', words.stop);
  return generationStates.accepts(state, 'resumed') ? form('resume', words.goOn) : '';
}

function errorsPart({ language }: Visit, id: string, items: readonly RefusedLine[]): Markup {
  const words = tableWords(language);
  const columns: readonly Column<RefusedLine>[] = [
    { title: words.line, kind: 'number', cell: ({ line }) => String(line) },
    {
      title: words.reason,
      kind: 'wide',
      cell: ({ columns: names, ...refused }) =>
        html`${names === '' ? '' : html`<strong>${givenText(names)}</strong> `}${reasonMarkup(reasonOf(refused, language))}`,
    },
  ];
  return html`<h2>${words.refused}</h2>
<p class="faint">${words.correct}</p>
${renderTable(columns, items)}
<p><a href="${besidePath(`contents/generations/${id}/errors`)}" download>${words.download}</a></p>`;
}
