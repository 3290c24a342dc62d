/** Demos of tabs, accordion, skeleton, avatar and progress. */
import { useState } from 'react';
import { Accordion } from '../../ui/accordion.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { DemoSection, DemoRow } from './demo-section.tsx';
import portrait from './sample-portrait.svg';

const tabs = [
  { value: 'overview', label: 'Overview', content: 'Six teams on duty, two on call.' },
  { value: 'members', label: 'Members', content: '48 members, 12 of them medics.' },
  { value: 'equipment', label: 'Equipment', content: 'Nine sleds, four boats, one drone.' },
] as const;

export function TabsDemo(): React.JSX.Element {
  return (
    <DemoSection title="Tabs" description="Arrow keys select a tab.">
      <Tabs label="Team details" tabs={tabs} />
    </DemoSection>
  );
}

const questions = [
  {
    value: 'pages',
    title: 'Who receives a page?',
    content: 'All members on duty in the region and the team leader on call.',
  },
  {
    value: 'offline',
    title: 'What happens without a network?',
    content: 'The relay repeats the page for ten minutes.',
  },
  {
    value: 'end',
    title: 'How does an incident end?',
    content: 'The incident leader releases every team.',
  },
] as const;

export function AccordionDemo(): React.JSX.Element {
  return (
    <DemoSection title="Accordion" description="Expands and collapses one section at a time.">
      <Accordion items={questions} />
    </DemoSection>
  );
}

export function SkeletonDemo(): React.JSX.Element {
  return (
    <DemoSection title="Skeleton" description="A placeholder for content that is loading.">
      <div className="flex items-center gap-3">
        <Skeleton shape="circle" className="size-10" />
        <div className="grid flex-1 gap-2">
          <Skeleton className="h-3.5 w-2/5" />
          <Skeleton className="h-3.5 w-4/5" />
        </div>
      </div>
    </DemoSection>
  );
}

export function AvatarDemo(): React.JSX.Element {
  return (
    <DemoSection title="Avatar" description="A picture or the initials.">
      <DemoRow>
        <Avatar name="Sage Thornton" src={portrait} />
        <Avatar name="Harper Ingram" />
        <Avatar name="dispatch@example.com" />
      </DemoRow>
    </DemoSection>
  );
}

export function ProgressDemo(): React.JSX.Element {
  const [value, setValue] = useState(60);
  return (
    <DemoSection title="Progress" description="Completion in percent.">
      <div className="grid gap-4">
        <Progress label="Area searched" value={value} />
        <DemoRow>
          <Button variant="outline" size="sm" disabled={value === 0} onClick={() => setValue(value - 10)}>
            Less
          </Button>
          <Button variant="outline" size="sm" disabled={value === 100} onClick={() => setValue(value + 10)}>
            More
          </Button>
        </DemoRow>
      </div>
    </DemoSection>
  );
}
