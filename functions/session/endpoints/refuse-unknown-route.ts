import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { session } from '../service.ts';

export const handler = session.refuseUnknownRoute(unknownRoutePage());
