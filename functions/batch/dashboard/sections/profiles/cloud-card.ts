import { html } from 'hono/html';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { basePath } from '../../../auth/domain/return-path.ts';
import { timeOf } from '../../../config/page-format.ts';
import type { BeginProblem } from '../../../profiles/domain/cloud/begin-authorization.ts';
import type { ReturnProblem } from '../../../profiles/domain/cloud/finish-authorization.ts';
import type { Profile } from '../../../profiles/domain/profile.ts';
import { doneNotice, factList, problemBox } from '../../pages/parts.ts';
import { queryText, type Visit } from '../../visit.ts';

const cloudWords = translations({
  title: {
    en: 'Authorization of the cloud certificate',
    'pt-BR': 'Autorização do certificado em nuvem',
  },
  holder: { en: 'Holder', 'pt-BR': 'Titular' },
  authorizedUntil: { en: 'Authorized until', 'pt-BR': 'Autorizado até' },
  never: { en: 'not authorized', 'pt-BR': 'não autorizado' },
  expired: {
    en: 'The authorization has ended. Authorize it again: until then the profile cannot sign.',
    'pt-BR': 'A autorização terminou. Autorize de novo: até lá o perfil não assina.',
  },
  authorize: { en: 'Authorize at the provider', 'pt-BR': 'Autorizar no provedor' },
  hint: {
    en: 'The holder allows the profile to sign, at the provider. You come back here. While the profile has a cloud certificate it takes no key.',
    'pt-BR':
      'O titular permite, no provedor, que o perfil assine. Você volta para cá. Enquanto o perfil tem um certificado em nuvem, não recebe chave.',
  },
  authorized: {
    en: 'The cloud certificate was authorized.',
    'pt-BR': 'O certificado em nuvem foi autorizado.',
  },
});

/** What came of an authorization. Content spoofing: any other word in the address shows nothing. */
const problemWords = translations({
  'cloud-not-configured': {
    en: 'No hub is configured. Set Hub:ApiKey, and Hub:BaseAddress for another hub.',
    'pt-BR': 'Nenhum hub está configurado. Defina Hub:ApiKey e, para outro hub, Hub:BaseAddress.',
  },
  'no-cloud-certificate': {
    en: 'The profile has no cloud certificate. Name its holder below and save.',
    'pt-BR': 'O perfil não tem certificado em nuvem. Informe o titular abaixo e salve.',
  },
  'no-provider': {
    en: 'No provider keeps a certificate of this holder.',
    'pt-BR': 'Nenhum provedor guarda um certificado deste titular.',
  },
  'provider-failed': {
    en: 'The provider or the hub did not authorize it. Try again; the log has the reason.',
    'pt-BR': 'O provedor ou o hub não autorizou. Tente de novo; o log tem o motivo.',
  },
  'authorization-unknown': {
    en: 'This authorization took too long, was used already, or was begun in another session. Begin again.',
    'pt-BR': 'Esta autorização demorou demais, já foi usada ou começou em outra sessão. Comece de novo.',
  },
  'other-holder': {
    en: 'The certificate that was authorized is of another holder.',
    'pt-BR': 'O certificado autorizado é de outro titular.',
  },
  'other-certificate': {
    en: 'Another certificate of the holder was authorized. Choose the one with the alias of the profile.',
    'pt-BR': 'Outro certificado do titular foi autorizado. Escolha o que tem o apelido do perfil.',
  },
  'certificate-unusable': {
    en: 'The key of this certificate cannot sign here.',
    'pt-BR': 'A chave deste certificado não pode assinar aqui.',
  },
  'profile-changed': {
    en: 'The cloud certificate of the profile was changed meanwhile. Begin again.',
    'pt-BR': 'O certificado em nuvem do perfil foi alterado nesse tempo. Comece de novo.',
  },
} satisfies Record<BeginProblem | ReturnProblem, { readonly en: string; readonly 'pt-BR': string }>);

/** What came of the authorization that an operator comes back from. */
export function cloudOutcome(visit: Visit): Markup | '' {
  const outcome = queryText(visit, 'cloud');
  if (outcome === 'authorized') return doneNotice(cloudWords(visit.language).authorized);
  const known: Readonly<Record<string, string>> = problemWords(visit.language);
  return problemBox(Object.hasOwn(known, outcome) ? known[outcome] : undefined);
}

/** The cloud certificate of a profile: until when it is authorized, and the form that authorizes it. */
export function cloudCard({ language, nowMs }: Visit, profile: Profile): Markup | '' {
  const { cloudCertificate, cloudAuthorization, name } = profile;
  if (!cloudCertificate) return '';
  const words = cloudWords(language);
  const untilMs = cloudAuthorization?.expiresAtMs;
  return html`<section class="card stack" aria-labelledby="cloud"><h2 id="cloud">${words.title}</h2>
${factList([
  [words.holder, cloudCertificate.identifier],
  [words.authorizedUntil, untilMs === undefined ? words.never : timeOf(language, untilMs)],
])}
${untilMs !== undefined && untilMs <= nowMs ? problemBox(words.expired) : ''}
<p class="faint">${words.hint}</p>
<form method="post" action="${basePath()}/profiles/${encodeURIComponent(name)}/cloud-authorization"><button class="button">${words.authorize}</button></form>
</section>`;
}
