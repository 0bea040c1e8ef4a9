import { submitFormEndpoint } from '../../../../shared/console/console-endpoints.ts';
import { credentials } from '../../service.ts';
import { consoleRules } from '../http/member-visit.ts';
import { SECTIONS } from '../routes.ts';

export const handler = submitFormEndpoint(credentials, { ...consoleRules, sections: SECTIONS });
