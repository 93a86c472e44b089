import type { RequestHandler } from 'express';

import { Problem } from '../../kernel/problem.ts';
import type { FieldNames } from '../../operations/field-names.ts';
import type { OperationServices, Operation } from '../../operations/operation.ts';
import { readAnswerOptions } from '../answer/answer-options.ts';
import { writeAnswer } from '../answer/write-answer.ts';
import { NO_FIELDS } from '../locals.ts';
import { contextOf } from './operation-context.ts';

/**
 * The last middleware of an operation: reads the names of its fields, calls it, and writes its answer.
 * @param names of its fields and of the answer options
 */
export function answerOperation(
  operation: Operation,
  names: FieldNames,
  operationServices: OperationServices,
): RequestHandler {
  return async (request, response) => {
    const { body, query, defaults } = response.locals;
    const fields = body ?? NO_FIELDS;
    // The query fills in what the body lacks.
    const given = names.read(fields, query);
    const options = readAnswerOptions(given, defaults);
    const context = contextOf(operation, request, response, operationServices);
    let answer;
    try {
      answer = await operation.answerFields(given, context);
    } catch (error) {
      const field = missingField(error);
      const misspelt = field === null ? null : names.findMisspelt(field, fields, query);
      if (field === null || misspelt === null) throw error;
      throw new Problem('missing_field/misspelt', { field, values: { sent: misspelt } });
    }
    await writeAnswer(request, response, answer, options);
  };
}

/** The field whose absence is the only thing that the problem says; null for other errors. */
function missingField(error: unknown): string | null {
  return error instanceof Problem && error.key === 'missing_field/field' ? error.field : null;
}
