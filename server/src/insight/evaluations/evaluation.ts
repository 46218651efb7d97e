// One question about access and its answer. Pure: no SQL, no HTTP.
import type { FactsOfPair } from '../../access/index.ts';
import {
  type AccessFacts,
  type Decision,
  decide,
  methodNames,
  type Permission,
  refusalOf,
  resourceNames,
} from '../../access/permissions/index.ts';
import { storedEmailKey } from '../../base/email.ts';
import type { ServiceError } from '../../base/errors.ts';
import { formatId, parseId } from '../../base/ids.ts';
import type { Evaluation, Question } from './schema.ts';

/** `refusal`: the caller may not ask. */
export type Verdict = { readonly evaluation: Evaluation } | { readonly refusal: ServiceError };

const deny = (reason: NonNullable<Evaluation['context']['reason']>): Verdict => ({
  evaluation: { decision: false, context: { reason } },
});

/** `permission` is a verdict when Concord lacks the word. */
export function readQuestion({ subject, action, resource }: Question) {
  const isId = parseId('user', subject.id) !== null;
  return {
    userId: isId ? subject.id : null,
    email: isId ? null : storedEmailKey(subject.id),
    partnerId: parseId('partner', resource.id),
    permission: readPermission(subject.type, resource.type, action.name),
  };
}

function readPermission(subjectType: string, resourceType: string, actionName: string): Permission | Verdict {
  if (subjectType !== 'user') return deny('unknown_subject_type');
  const resource = resourceNames.find((name) => name === resourceType);
  if (resource === undefined) return deny('unknown_resource_type');
  const method = methodNames.find((name) => name === actionName);
  return method === undefined ? deny('unknown_action') : { resource, method };
}

/** For callers who may not know the partner it does not exist. A refusal says nothing about the subject. */
export function judge({
  asker,
  subject,
  permission,
}: FactsOfPair & { permission: Permission | Verdict }): Verdict {
  if (!('resource' in permission)) return permission;
  if (subject !== asker) {
    const asking = decide(asker, { resource: 'agreements', method: 'query' });
    if (!asking.allowed) return asking.because === 'hidden' ? deny('hidden') : { refusal: refusalOf(asking) };
    if (subject === null) return deny('hidden');
    return { evaluation: toEvaluation(decide(asSeenBy(asker, subject), permission)) };
  }
  return { evaluation: toEvaluation(decide(subject, permission)) };
}

/** Otherwise members could try addresses until one belongs to an operator. */
function asSeenBy(asker: AccessFacts, subject: AccessFacts): AccessFacts {
  if (asker.principal.role === 'operator') return subject;
  return { ...subject, principal: { ...subject.principal, role: 'user' } };
}

function toEvaluation(decision: Decision): Evaluation {
  const { allowed, because: reason } = decision;
  if (reason === 'own' || reason === 'signed_in')
    throw new Error('A question names no object of the subject');
  const group =
    'groupId' in decision ? { acl_permission_group_id: formatId('permission_group', decision.groupId) } : {};
  return { decision: allowed, context: { reason, ...group } };
}
