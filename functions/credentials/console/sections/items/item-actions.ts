import { html } from 'hono/html';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { confirmed, selectField, textArea } from '../../../../../shared/ui/parts.ts';
import { canHandOverAgain } from '../../../flows/domain/hand-over-again.ts';
import { ROOTS } from '../../../items/domain/files-of.ts';
import type { Item } from '../../../items/domain/item.ts';
import { KINDS } from '../../../items/domain/kinds.ts';
import { CANCELLATION_REASONS } from '../../../items/vocabulary.ts';
import { mayDo } from '../../../tenants/domain/members/permissions.ts';
import { readRegistrars } from '../../../tenants/domain/roster.ts';
import { consolePath } from '../../pages/frame.ts';
import type { Visit } from '../../visit.ts';
import { type OfferedChange, offeredChanges } from './changes.ts';
import { type Again, fileFields, NOTHING_SENT } from './form-fields.ts';
import { actionWords } from './words/action-words.ts';
import { fieldProblem, formWords, labelOf } from './words/field-words.ts';
import { itemWords } from './words/item-words.ts';

/** A change that was asked for and not made, for its form to be shown again. */
export type SentChange = Again & { readonly event: string };

/** What the member may do with an item in its present state. */
export async function actionsPart(visit: Visit, item: Item, sent?: SentChange): Promise<Markup | ''> {
  const { language, member } = visit;
  if (!mayDo(member.role, 'items.change')) return '';
  const words = itemWords(language);
  const action = (name: string): string => consolePath(`${KINDS[item.kind].path}/${item.id}/${name}`);
  const changes = await Promise.all(
    offeredChanges(item).map(async (change) => {
      const { summary, explanation, button } = actionWords(item.kind, change.event, language);
      const again = sent?.event === change.event ? sent : NOTHING_SENT;
      const fields = await fieldsOf(visit, item, change, again);
      return confirmed({
        ...{ id: `do-${change.event}`, isOpen: again === sent, summary, explanation, button, fields },
        action: action(`events/${change.event}`),
        takesFiles: change.fields.some((field) => field.startsWith('files')),
      });
    }),
  );
  const handOver = {
    ...{ id: 'do-hand-over', summary: words.handOver, explanation: words.handOverMeans },
    ...{ button: words.handOver, action: action('hand-over') },
  };
  const resend = {
    ...{ id: 'do-resend', summary: words.resend, explanation: words.resendMeans, button: words.resend },
    action: action('resend'),
  };
  // A form that is shown again stays as it is: a page that is looked at meanwhile has none of what was typed.
  return html`<section class="card stack" aria-labelledby="actions-title" id="actions"${sent ? '' : html` data-live-along`}>
<h2 id="actions-title">${words.actions}</h2>
${changes}
${item.kind === 'cancellationList' && canHandOverAgain(item) ? confirmed(handOver) : ''}
${confirmed(resend)}
</section>`;
}

/** The fields of a change. Their ids hold its event: a page has several forms. */
async function fieldsOf(
  { language }: Visit,
  { kind }: Item,
  { event, fields }: OfferedChange,
  { sentValue, wrong }: Again,
): Promise<Markup> {
  const words = formWords(language);
  const made: Markup[] = [];
  for (const field of fields) {
    const isOptional = field.endsWith('?');
    const name = field.replace('?', '');
    const required = isOptional ? html`` : html` required`;
    const value = sentValue(name);
    const options = {
      ...{ id: `${event}-${name}`, name, label: labelOf(name, language), value },
      problem: wrong.includes(name) ? fieldProblem(name, value.trim() === '', language) : undefined,
    };
    const first = { value: '', text: isOptional ? words.none : words.choose };
    if (name === 'files') made.push(fileFields(Object.keys(ROOTS[kind]), language));
    else if (name === 'cancellationReason') {
      const choices = [first, ...CANCELLATION_REASONS.map((value) => ({ value, text: value }))];
      made.push(selectField({ ...options, attributes: required, choices }));
    } else if (name === 'registrarInstituteId') {
      const registrars = await readRegistrars();
      const choices = [
        first,
        ...registrars.map(({ id: value, name: text, emecCode }) => ({
          value,
          text: `${text} (${emecCode})`,
        })),
      ];
      made.push(selectField({ ...options, attributes: required, choices }));
    } else made.push(textArea({ ...options, attributes: html` maxlength="2000" rows="3"${required}` }));
  }
  return html`${made}`;
}
