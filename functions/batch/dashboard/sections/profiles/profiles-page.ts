import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { formatName, timeOf } from '../../../config/page-format.ts';
import type { showProfile } from '../../../profiles/domain/render-profile.ts';
import { noticeBadge, noticeOf } from '../../pages/certificate-warning.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge } from '../../pages/parts.ts';
import { givenText, recordedText } from '../../pages/text.ts';
import type { Visit } from '../../visit.ts';
import { cloudOutcome } from './cloud-card.ts';
import { type ProfileWords, profileWords } from './profile-words.ts';

export type ShownProfile = Awaited<ReturnType<typeof showProfile>>;

/** All profiles with their state. */
export function profilesPage(visit: Visit, profiles: readonly ShownProfile[]): Promise<Answer> {
  const words = profileWords(visit.language);
  return operatorPage(visit, {
    title: words.title,
    current: 'profiles',
    done: { removed: words.removedDone },
    body: html`<div class="list-head"><div><h1>${words.title}</h1><p class="faint">${words.hint}</p></div>
<a class="button" href="${dashboardPath('new-profile')}">${words.newProfile}</a></div>
${cloudOutcome(visit)}
${
  profiles.length > 0
    ? renderTable(columnsOf(visit, words), profiles)
    : html`<p class="card">${words.none}</p>`
}`,
  });
}

/** The state of a profile in words, without the reason. */
export function stateBadges({ language, nowMs }: Visit, profile: ShownProfile, words: ProfileWords): Markup {
  const notice = noticeOf(profile, nowMs);
  // Green is for a profile that signs.
  const signs = !profile.degraded && (!notice || notice.problem === 'expires-soon');
  return html`<span class="badges">${profile.default ? badge(words.byDefault) : ''}${
    profile.enabled ? (signs ? badge(words.enabled, 'good') : '') : badge(words.disabled)
  }${profile.degraded ? badge(words.degraded, 'bad') : ''}${notice ? noticeBadge(language, notice) : ''}</span>`;
}

const columnsOf = (visit: Visit, words: ProfileWords): readonly Column<ShownProfile>[] => [
  {
    title: words.name,
    kind: 'file',
    cell: ({ name }) => html`<a href="${dashboardPath(`profiles/${name}`)}">${givenText(name)}</a>`,
  },
  {
    title: words.state,
    kind: 'wide',
    cell: (profile) =>
      html`${stateBadges(visit, profile, words)}${
        profile.degradedReason === null
          ? ''
          : html`<span class="faint">${recordedText(visit.language, profile.degradedReason)}</span>`
      }`,
  },
  {
    title: words.method,
    kind: 'text',
    cell: ({ method, format }) =>
      html`${words[method]}<span class="faint">${format ? formatName(format) : words.byExtension}</span>`,
  },
  {
    title: words.folder,
    kind: 'text',
    cell: ({ inputFolder }) => (inputFolder ? givenText(inputFolder) : ''),
  },
  {
    title: words.certificate,
    kind: 'wide',
    cell: ({ certificate }) =>
      certificate === null
        ? ''
        : html`${givenText(certificate.subject)}<span class="faint">${
            Date.parse(certificate.notAfter) >= visit.nowMs ? words.until : words.expired
          } ${timeOf(visit.language, Date.parse(certificate.notAfter))}</span>`,
  },
];
