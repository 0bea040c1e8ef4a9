import type { IdentityProviderValues } from '../../access/identity-provider/settings.ts';
import { basePathOf, returnPathBelow } from '../../access/return-path.ts';
import type { Form } from '../../http/body/page-form.ts';
import { type Answer, redirect } from '../../http/response/answer.ts';
import type { MailValues } from '../../mail/settings.ts';
import type { CertificateLogIn } from '../../members/certificate-log-in.ts';
import type { LogInLinks } from '../../members/log-in-links.ts';
import type { Member } from '../../members/member.ts';
import type { MemberSessions, MembersOrganization } from '../../members/sessions.ts';
import type { ServiceName } from '../../settings/names.ts';
import type { Language } from '../../ui/languages.ts';
import { sessionCookie } from '../http/session-cookie.ts';
import type { RefusalText } from '../refusals.ts';

/** What the log-in of a service says of the service itself. */
type OwnWords = {
  readonly service: string;
  /** For a deployment that has no way to log in: who sets one up, and where it is written how. */
  readonly noWay: string;
  readonly sandbox: string;
  /** For somebody who waits for a link, or whom no organization knows: who invites. */
  readonly nothingArrived: string;
  readonly noMemberWhy: string;
};

/** The log-in of a service's members: the ways in are those of its settings. */
export type Login = {
  readonly service: ServiceName;
  readonly settings: IdentityProviderValues & MailValues;
  readonly words: (language: Language) => OwnWords;
  readonly refusalText: RefusalText;
  readonly sessions: Pick<
    MemberSessions<string, MembersOrganization>,
    'logIn' | 'memberSessions' | 'signedInBy'
  >;
  readonly links: Pick<LogInLinks, 'findLogInLink' | 'takeLogInLink'>;
  readonly certificates: CertificateLogIn;
  readonly sandbox: {
    /** The organization of the local stage that anybody may enter. A deployment has none. */
    readonly organizationId: () => string | undefined;
    /** The one of its members who may do everything. */
    readonly findOwner: (organizationId: string) => Promise<Pick<Member, 'email'> | undefined>;
  };
};

/** Somebody at the log-in, who has no session or an older one. */
export type Visitor = {
  readonly language: Language;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly nowMs: number;
};

export type SubmitStep = (login: Login, visitor: Visitor, form: Form) => Promise<Answer>;
export type ShowStep = (login: Login, visitor: Visitor) => Promise<Answer>;

/** Where a log-in leads. A path that is not of the console is the console's first page. */
export function returnPathOf({ service }: Pick<Login, 'service'>, given: unknown): string {
  const base = basePathOf(service);
  const path = returnPathBelow(base, typeof given === 'string' ? given : undefined);
  return /^\/console(?:[/?#]|$)/.test(path.slice(base.length)) ? path : `${base}/console`;
}

/** Leads on with a session. */
export const entered = ({ service }: Pick<Login, 'service'>, cookie: string, returnPath: string): Answer =>
  redirect(returnPath, { status: 303, cookies: [sessionCookie(service, cookie)] });
