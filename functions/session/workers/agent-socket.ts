import { socketHandler } from '../../../shared/sockets/handler.ts';
import { answerMessage, forgetConnection, openConnection } from '../domain/workstations/connection.ts';

/** Connections of agents. Tasks are pushed to them by the functions that create the tasks. */
export const handler = socketHandler('session', 'agent-socket', {
  connect: (connection, headers) => openConnection(connection, headers, Date.now()),
  message: (connection, text) => answerMessage(connection, text, Date.now()),
  disconnect: (connection) => forgetConnection(connection, Date.now()),
});
