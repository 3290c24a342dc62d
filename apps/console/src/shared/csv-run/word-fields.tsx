/** Maps the words of a column, such as types in another language, to known ones: once for each word. */
import type { ListFile } from '@lanternrock/contract/list-file';
import { useId, useMemo } from 'react';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { WordRules } from './csv-list.ts';
import { formatRows } from './csv-run-text.ts';
import type { ChosenFile } from './use-csv-file.ts';

/** A column of more words usually has another meaning. */
const maxWords = 20;

interface WordFieldsProps<Column extends string> {
  rules: WordRules<Column>;
  source: Pick<ChosenFile<Column>, 'mapping' | 'words' | 'setWords'>;
  file: ListFile;
  disabled: boolean;
}

export function WordFields<Column extends string>({
  rules,
  source,
  file,
  disabled,
}: WordFieldsProps<Column>): React.JSX.Element | null {
  const id = useId();
  const { mapping, words: chosen, setWords } = source;
  const words = useMemo(() => rules.listWords(file, mapping), [rules, file, mapping]);
  const needsOthers = useMemo(() => rules.needsOthers(file, mapping), [rules, file, mapping]);
  const isComplete = needsOthers && !rules.needsOthers(file, mapping, chosen.words);
  const { text, options } = rules;
  const listed = words.slice(0, maxWords);
  if (words.length === 0 && !needsOthers) return null;
  return (
    <section aria-labelledby={id} className="grid gap-4 border-t border-border pt-4">
      <div className="grid gap-1">
        <h3 id={id} className="text-sm font-semibold">
          {text.title}
        </h3>
        <p className="text-sm text-muted">{text.description}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {listed.map(({ key, word, rows }) => (
          <Field
            key={key}
            label={
              <>
                {text.word} <bdi translate="no">&quot;{word}&quot;</bdi>
              </>
            }
            helpText={formatRows(rows)}
            render={(control) => (
              <Select
                {...control}
                placeholder={text.placeholder}
                options={options}
                value={chosen.words.get(key) ?? ''}
                disabled={disabled}
                onChange={({ target }) =>
                  setWords({ ...chosen, words: new Map(chosen.words).set(key, target.value) })
                }
              />
            )}
          />
        ))}
        <Field
          label={text.others(words.length > 0)}
          helpText={
            isComplete && chosen.others === null
              ? text.othersNotNeeded
              : words.length > listed.length && text.more(words.length - listed.length)
          }
          render={(control) => (
            <Select
              {...control}
              placeholder={text.placeholder}
              options={options}
              value={chosen.others ?? ''}
              disabled={disabled}
              onChange={({ target }) => setWords({ ...chosen, others: target.value })}
            />
          )}
        />
      </div>
    </section>
  );
}
