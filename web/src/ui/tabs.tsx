import './tabs.css'
import type { ReactNode } from 'react'
import {
  type Key,
  Tabs as RacTabs,
  type TabsProps as RacTabsProps,
  Tab,
  TabList,
  TabPanel,
} from 'react-aria-components'

export interface TabContent {
  id: string
  title: ReactNode
  /** Made when it is chosen for the first time. */
  content: ReactNode
}

export interface TabsProps extends Omit<RacTabsProps, 'className' | 'style' | 'children' | 'onSelectionChange'> {
  /** Of the list of tabs, for readers. */
  label: string
  tabs: TabContent[]
  onSelectionChange?: ((id: string) => void) | undefined
}

/** `selectedKey` and `onSelectionChange` tie it to the URL. */
export function Tabs({ label, tabs, onSelectionChange, ...rest }: TabsProps) {
  return (
    <RacTabs
      {...rest}
      {...(onSelectionChange ? { onSelectionChange: (key: Key) => onSelectionChange(String(key)) } : {})}
      className="tabs"
    >
      <TabList className="tab-list" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <Tab key={id} id={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="tab-panel">
          {content}
        </TabPanel>
      ))}
    </RacTabs>
  )
}
