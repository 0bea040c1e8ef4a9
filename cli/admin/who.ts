import { userInfo } from 'node:os';

/** Who runs the command, as the machine names its user: the event says who, and proves nothing. */
export const who = (): string => `admin ${userInfo().username}`;
