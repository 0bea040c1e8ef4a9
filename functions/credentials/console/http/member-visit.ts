import { consoleDeclaration, memberEndpoints } from '../../../../shared/console/http/member-visit.ts';
import { refusalPages } from '../../../../shared/console/pages/refusal-page.ts';
import { credentials } from '../../service.ts';
import { mayDo } from '../../tenants/domain/members/permissions.ts';
import { sessions } from '../../tenants/domain/members/sessions.ts';
import { frame } from '../pages/frame.ts';
import { memberPage } from '../pages/member-page.ts';
import { refusalText } from '../pages/refusals.ts';

/** What the endpoints of the console need to know of it. */
export const consoleRules = {
  mayDo,
  signedInBy: sessions.signedInBy,
  refusalPage: refusalPages(frame, { memberPage }, refusalText),
};

/** One function answers all pages or forms, so it has the answers and refusals of all. */
export const CONSOLE = consoleDeclaration(credentials);

/** An endpoint of the console, for members who are logged in. */
export const memberEndpoint = memberEndpoints(credentials, consoleRules);
